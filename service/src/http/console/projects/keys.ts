import { CREDENTIALS_FILENAME, SECRET_PREFIXES } from '@gatehouse-auth/contract'
import type { TenantKey } from '../../../domain/stores/stores.ts'
import { findKeptKeys } from '../../../operations/tenants/kept-credentials.ts'
import {
  KEY_REPLACEMENTS,
  listKeys,
  readKeyGeneration,
  replaceKeys,
} from '../../../operations/tenants/keys.ts'
import { KEY_USE_EVERY_MS } from '../../../operations/write-behind.ts'
import { heading, scrollTable } from '../../pages/elements.ts'
import { type Html, html } from '../../pages/markup.ts'
import { relativeTime, timestamp } from '../../pages/time.ts'
import { consoleForm, formElement } from '../console-form.ts'
import { consolePage, projectRoute } from '../console-page.ts'
import { idField } from '../form.ts'
import { keyChoices, readKeyChoice } from '../key-choice.ts'
import { accountPaths, below } from '../paths.ts'
import type { ProjectCall } from '../project-call.ts'
import { contentOf, downloadKeyFile, readNewKeyFile, showKeyFile } from './new-keys.ts'
import { type Frame, unlessSuspended } from './project-page.ts'

const replaceForm = consoleForm({
  path: below(accountPaths.keys, 'replace'),
  button: 'Replace keys',
  done: {
    'keys-unchanged':
      'These keys were already replaced, so nothing was changed. To replace the new ones, press the button again.',
  },
  run: ({ ctx, owner, tenant, author, form }) =>
    replaceKeys(ctx, {
      tenant,
      replacement: readKeyChoice(form, KEY_REPLACEMENTS),
      generation: idField(form.get('generation')),
      secrets: owner.secrets,
      author,
    }),
  // A reload of the result repeats a GET and not the replacement.
  outcome: (replaced, { c, tenant }) =>
    replaced ? c.redirect(accountPaths.newKeys(tenant.id), 303) : 'keys-unchanged',
})

/** The tab "Keys". */
export const keysRoute = consolePage({
  path: accountPaths.keys,
  tab: 'keys',
  forms: [replaceForm],
  notices: {
    'keys-hidden': {
      message: 'New keys are shown for a minute. If you haven’t saved them, replace them again.',
    },
  },
  load: async ({ ctx, tenant }) => ({
    // Which keys the button replaces: it works once, however often it is pressed.
    keyGeneration: await readKeyGeneration(ctx, tenant),
    keys: await listKeys(ctx, tenant),
    fileIsKept: (await findKeptKeys(ctx, tenant)) !== null,
  }),
  view: (frame, { keyGeneration, keys, fileIsKept }) => html`
    <h2>Keys</h2>
    ${keysTable(keys, frame.now)}
    <h2>Key file</h2>
    ${fileIsKept ? keptFile(frame.project.tenantId) : html`<p>The file with these keys, <code>${CREDENTIALS_FILENAME}</code>, was shown once and isn’t stored here. If you lost it, replace the keys.</p>`}
    <h2>Replace the keys</h2>
    ${unlessSuspended(frame.project, replaceKeysForm(frame, keyGeneration))}`,
})

const hidden = ({ c, tenant }: ProjectCall): Response =>
  c.redirect(`${accountPaths.keys(tenant.id)}?done=keys-hidden`, 303)

/** The keys that this browser got less than a minute ago. */
export const newKeysRoute = projectRoute(accountPaths.newKeys, async (call) => {
  const file = await readNewKeyFile(call)
  return file === null ? hidden(call) : showKeyFile(call, file)
})

/** The key file: the copy that we keep, or the new one. */
export const keyFileRoute = projectRoute(accountPaths.keyFile, async (call) => {
  const kept = await findKeptKeys(call.ctx, call.tenant)
  const file = kept === null ? await readNewKeyFile(call) : { content: contentOf(call.ctx, kept) }
  return file === null ? hidden(call) : downloadKeyFile(call.c, file.content)
})

const keptFile = (tenantId: string): Html => html`
  <p>The current keys, for your app or your coding agent.</p>
  <p class="actions"><a class="button fit quiet" href="${accountPaths.keyFile(tenantId)}" download="${CREDENTIALS_FILENAME}">Download ${CREDENTIALS_FILENAME}</a></p>`

const replaceKeysForm = (frame: Frame, keyGeneration: number): Html => html`
  <p>Anyone with the key file can manage this project. If someone else may have seen it, replace the keys. The next page shows the new file.</p>
  ${formElement(replaceForm, frame, {
    hidden: { generation: keyGeneration },
    note: keyChoices('How soon', KEY_REPLACEMENTS),
    button: { variant: 'quiet' },
  })}`

const KINDS = {
  management: { label: 'Management key', prefix: SECRET_PREFIXES.managementKey },
  application: { label: 'Application key', prefix: SECRET_PREFIXES.applicationKey },
} as const

/** The keys that work now. They have no names: the kind and the id, which the audit names too, tell them apart. */
const keysTable = (keys: readonly TenantKey[], now: number): Html =>
  scrollTable({
    caption: '“Last used” is accurate to the hour',
    label: 'Keys',
    head: ['Key', 'Created', 'Last used'].map(heading),
    rows: keys.map(
      (key) => html`<tr>
        <td class="who">${KINDS[key.kind].label} ${state(key)} <span class="address">${about(key, now)}</span></td>
        <td>${timestamp(key.createdAt, now)}</td>
        <td>${lastUse(key, now)}</td>
      </tr>`,
    ),
  })

const state = ({ expiresAt }: TenantKey): Html =>
  expiresAt === null
    ? html`<span class="badge ok">Active</span>`
    : html`<span class="badge warn">Replaced</span>`

function about({ id, kind, expiresAt, issuedToOwner }: TenantKey, now: number): Html {
  const end = expiresAt !== null && `, stops working ${relativeTime(expiresAt, now)}`
  return html`<code>${KINDS[kind].prefix}…</code>, id <code>${id}</code>${end}${!issuedToOwner && ', from before your claim'}`
}

const lastUse = ({ lastUsedAt }: TenantKey, now: number): Html => {
  if (lastUsedAt === null) {
    return html`Never`
  }
  return lastUsedAt > now - KEY_USE_EVERY_MS ? html`In the last hour` : timestamp(lastUsedAt, now)
}
