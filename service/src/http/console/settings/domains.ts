import { addDomain as addDomainEndpoint } from '@gatehouse-auth/contract'
import { DOMAINS_MAX } from '@gatehouse-auth/contract/limits'
import { type Domain, methodOf, proofsOf } from '../../../domain/brand/domain.ts'
import {
  addDomain,
  checkDomain,
  deleteDomain,
  listDomains,
} from '../../../operations/brand/domains.ts'
import { commandBlock } from '../../pages/elements.ts'
import { type Html, html } from '../../pages/markup.ts'
import { displayText, HOST_MAX } from '../../pages/text.ts'
import { timestampInText } from '../../pages/time.ts'
import { consoleForm, formButton, formElement } from '../console-form.ts'
import * as fields from '../fields.ts'
import { accountPaths, below } from '../paths.ts'
import type { Frame } from '../projects/project-page.ts'
import { settingsSection } from './settings-page.ts'

const hostOf = (form: URLSearchParams): string => (form.get('host') ?? '').trim()

/** An error of one of the three forms is shown at the field of the first. */
const addForm = consoleForm({
  path: below(accountPaths.signInPages, 'domains'),
  button: 'Add domain',
  done: {
    'domain-added': 'Domain added. Add the DNS record or the file, then press Check now.',
  },
  fields: {
    host: fields.text({
      label: 'Add a domain',
      hint: `The host of a callback URL, such as app.example.com. Up to ${DOMAINS_MAX}.`,
      required: true,
    }),
  },
  body: addDomainEndpoint.body,
  run: ({ ctx, tenant, author }, body) => addDomain(ctx, tenant, body.host, author),
})

const checkForm = consoleForm({
  path: below(accountPaths.signInPages, 'domains/check'),
  id: 'domains',
  button: 'Check now',
  done: {
    'domain-verified': 'Found. The domain is verified.',
    'domain-missing': 'Neither the record nor the file was found. A DNS change can take an hour.',
  },
  fields: {
    host: fields.text({
      label: '',
    }),
  },
  run: ({ ctx, tenant, author, form }) => checkDomain(ctx, tenant, hostOf(form), author),
  outcome: ({ found }) => (methodOf(found) === null ? 'domain-missing' : 'domain-verified'),
})

const deleteForm = consoleForm({
  path: below(accountPaths.signInPages, 'domains/delete'),
  id: 'domains',
  button: 'Remove',
  done: {
    'domain-removed': 'Domain removed.',
  },
  fields: {
    host: fields.text({
      label: '',
    }),
  },
  run: ({ ctx, tenant, author, form }) => deleteDomain(ctx, tenant, hostOf(form), author),
})

/** Domains whose control the owner proves, so that the consent page shows the brand there. */
export const domainsSection = settingsSection({
  id: 'verified-domains',
  title: 'Domains',
  forms: [addForm, checkForm, deleteForm],
  load: ({ ctx, tenant }): Promise<readonly Domain[]> => listDomains(ctx, tenant),
  view: (frame, domains) => html`
    <p>Prove that you control the domain of your app with a DNS record or a file. Users then see “verified domain” and your branding.</p>
    ${domains.map((domain) => domainEntry(domain, frame))}
    ${formElement(addForm, frame)}`,
})

function domainEntry(domain: Domain, frame: Frame): Html {
  const { value, recordName, fileUrl } = proofsOf(domain)
  const host = displayText(domain.host, HOST_MAX)
  const button = { fields: { host: domain.host }, describedBy: `domain-${host}` }
  return html`<div class="entry">
    <div class="entry-head"><h3 id="domain-${host}">${host}</h3>${badge(domain)}</div>
    <p class="small-print">${stateOf(domain, frame.now)}</p>
    <details${domain.status !== 'verified' && html` open`}>
      <summary>Proof</summary>
      ${
        recordName !== null &&
        html`<p>Either a TXT record in the DNS, which covers all hosts of the domain. Name and value:</p>
        ${commandBlock(`Name of the TXT record for ${host}`, recordName)}
        ${commandBlock(`Value of the TXT record for ${host}`, value)}
        <p>Or a file for this host, with this address and content:</p>`
      }
      ${commandBlock(`Address of the file for ${host}`, fileUrl)}
      ${commandBlock(`Content of the file for ${host}`, value)}
    </details>
    <div class="buttons">
      ${formButton(checkForm, frame, button)}
      ${formButton(deleteForm, frame, button)}
    </div>
  </div>`
}

const badge = ({ status }: Domain): Html =>
  status === 'verified'
    ? html`<span class="verified">Verified</span>`
    : html`<span class="badge${status === 'lapsed' && ' warn'}">${status === 'lapsed' ? 'Lapsed' : 'Not verified'}</span>`

function stateOf({ status, method, checkedAt }: Domain, now: number): Html {
  const checked = checkedAt === null ? html`` : html`Checked ${timestampInText(checkedAt, now)}.`
  switch (status) {
    case 'verified':
      return html`Found by ${method === 'dns' ? 'DNS record' : 'file'}. ${checked} We check it weekly.`
    case 'lapsed':
      return html`The proof is gone. ${checked} Add it again, then press Check now.`
    default:
      return html`Add the DNS record or the file, then press Check now. ${checked}`
  }
}
