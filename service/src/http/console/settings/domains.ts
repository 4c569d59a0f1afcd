import { addDomain as addDomainEndpoint, DOMAINS_MAX } from '@gatehouse/contract'
import { type Domain, methodOf, proofsOf } from '../../../domain/brand/domain.ts'
import { addDomain, checkDomain, deleteDomain } from '../../../operations/brand/domains.ts'
import { ownerAuthor } from '../../callers/author.ts'
import type { App, HttpDependencies } from '../../dependencies.ts'
import { parseBody } from '../../mount-endpoint.ts'
import { commandBlock } from '../../pages/elements.ts'
import { buttonForm, hiddenFields, textField } from '../../pages/fields.ts'
import { type Html, html } from '../../pages/markup.ts'
import { displayText, HOST_MAX } from '../../pages/text.ts'
import { timestampInText } from '../../pages/time.ts'
import { accountPaths } from '../paths.ts'
import type { Frame } from '../projects/project-page.ts'
import { projectPost } from '../projects/project-route.ts'
import { FormState, type RejectedForm } from './form-state.ts'
import { formHandler, type ShowAgain } from './section.ts'

/** The forms of the section "Domains". */
export function domainRoutes(app: App, deps: HttpDependencies, show: ShowAgain): void {
  const { ctx } = deps
  const done = (tenantId: string, message: string): string =>
    `${accountPaths.settings(tenantId)}?done=${message}#domains`
  const hostOf = (form: URLSearchParams): string => (form.get('host') ?? '').trim()

  projectPost(
    app,
    deps,
    accountPaths.addDomain,
    formHandler('domains', show, async (c, { owner, tenant, form }) => {
      const { host } = parseBody(addDomainEndpoint.body, { host: hostOf(form) })
      await addDomain(ctx, tenant, host, ownerAuthor(c, owner))
      return done(tenant.id, 'domain-added')
    }),
  )

  projectPost(
    app,
    deps,
    accountPaths.checkDomain,
    formHandler('domains', show, async (c, { owner, tenant, form }) => {
      const { found } = await checkDomain(ctx, tenant, hostOf(form), ownerAuthor(c, owner))
      return done(tenant.id, methodOf(found) === null ? 'domain-missing' : 'domain-verified')
    }),
  )

  projectPost(
    app,
    deps,
    accountPaths.deleteDomain,
    formHandler('domains', show, async (c, { owner, tenant, form }) => {
      await deleteDomain(ctx, tenant, hostOf(form), ownerAuthor(c, owner))
      return done(tenant.id, 'domain-removed')
    }),
  )
}

/** Domains whose control the owner proves, so that the consent page shows the brand there. */
export function domainsSection(frame: Frame, domains: readonly Domain[], rejected: RejectedForm | null): Html {
  const { csrf, project } = frame
  const form = new FormState('domains', rejected, ['host'])
  return html`
    <p>Prove that you control the domain of your app with a DNS record or a file. Users then see “verified domain” and your branding.</p>
    ${form.message}
    ${domains.map((domain) => domainEntry(domain, frame))}
    <form method="post" action="${accountPaths.addDomain(project.tenantId)}">
      ${hiddenFields({ csrf })}
      ${textField({ ...form.field('host', ''), label: 'Add a domain', hint: `The host of a callback URL, such as app.example.com. Up to ${DOMAINS_MAX}.`, required: true })}
      <button class="small">Add domain</button>
    </form>`
}

function domainEntry(domain: Domain, { csrf, now, project: { tenantId } }: Frame): Html {
  const { value, recordName, fileUrl } = proofsOf(domain)
  const host = displayText(domain.host, HOST_MAX)
  const button = (action: string, label: string): Html =>
    buttonForm({ action, csrf, label, fields: { host: domain.host }, variant: 'small', describedBy: `domain-${host}` })
  return html`<div class="entry">
    <div class="entry-head"><h3 id="domain-${host}">${host}</h3>${badge(domain)}</div>
    <p class="small-print">${stateOf(domain, now)}</p>
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
      ${button(accountPaths.checkDomain(tenantId), 'Check now')}
      ${button(accountPaths.deleteDomain(tenantId), 'Remove')}
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
      return html`The proof is gone. ${checked} Publish it again, and check.`
    default:
      return html`Publish one of the proofs, and check. ${checked}`
  }
}
