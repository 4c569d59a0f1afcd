import { CREDENTIALS_FILENAME, loginUrl } from '@gatehouse-auth/contract'
import type { Tenant } from '../../../domain/tenants/tenant.ts'
import type { Context } from '../../../operations/context.ts'
import { findKeptKeys } from '../../../operations/tenants/kept-credentials.ts'
import {
  type NewTenant,
  type ReplacedKeys,
  readReplacedKeys,
} from '../../../operations/tenants/keys.ts'
import { findSettings } from '../../../operations/tenants/provision.ts'
import { keepForDisplay, keptForDisplay, type SignedInOwner } from '../../callers/sessions.ts'
import type { Call, HttpDependencies } from '../../dependencies.ts'
import { API_HEADERS, setHeaders } from '../../headers.ts'
import { copyScript } from '../../pages/assets.ts'
import { fileBlock } from '../../pages/elements.ts'
import { script } from '../../pages/layout.ts'
import { type Html, html } from '../../pages/markup.ts'
import type { Operator } from '../../pages/operator.ts'
import { displayText } from '../../pages/text.ts'
import { relativeTime, timeTag } from '../../pages/time.ts'
import { scriptedPage } from '../../responses.ts'
import { newTenantView } from '../../views.ts'
import { ACCOUNT_FORMS } from '../form.ts'
import { accountLayout } from '../layout.ts'
import { accountPaths } from '../paths.ts'
import type { ProjectCall } from '../project-call.ts'
import { type FirstSteps, firstSteps } from './first-steps.ts'

/** A request about the new keys of this tenant, from the browser that may see them. */
type KeyCall = Pick<ProjectCall, 'c' | 'deps' | 'ctx' | 'owner'> & { readonly tenant: Tenant }

interface NewKeyFile extends Pick<NewKeys, 'oldKeysUntil' | 'event'> {
  readonly content: string
}

export const contentOf = ({ baseUrl }: Context, keys: NewTenant): string =>
  newTenantView(baseUrl, keys).credentials_file.content

/** The file that this browser got less than a minute ago. Replaced keys first: the cookie's are older. */
export async function readNewKeyFile({
  ctx,
  c,
  owner,
  tenant,
}: KeyCall): Promise<NewKeyFile | null> {
  const replaced = await readReplacedKeys(ctx, { tenant, secrets: owner.secrets })
  if (replaced !== null) {
    return {
      content: contentOf(ctx, replaced),
      oldKeysUntil: replaced.oldKeysUntil,
      event: 'replaced',
    }
  }
  const content = keptForDisplay(ctx, c, owner, keyFileOf(tenant.id))
  return content === null ? null : { content, oldKeysUntil: null, event: 'created' }
}

/** Shows the new keys of an approved claim. The browser keeps them for a minute, for the download. */
export function showClaimedKeys(
  deps: HttpDependencies,
  c: Call,
  owner: SignedInOwner,
  keys: ReplacedKeys,
): Promise<Response> {
  const { ctx } = deps
  const { tenant, oldKeysUntil } = keys
  const content = contentOf(ctx, keys)
  keepForDisplay(ctx, c, owner, keyFileOf(tenant.id), content)
  return showKeyFile({ deps, ctx, c, owner, tenant }, { content, oldKeysUntil, event: 'claimed' })
}

export async function showKeyFile(
  { deps, ctx, c, owner, tenant }: KeyCall,
  { content, ...file }: NewKeyFile,
): Promise<Response> {
  const html = newKeysPage({
    operator: deps.operator,
    now: ctx.now(),
    csrf: owner.csrf(ACCOUNT_FORMS),
    tenantId: tenant.id,
    credentialsFileContent: content,
    fileIsKept: (await findKeptKeys(ctx, tenant)) !== null,
    steps: {
      baseUrl: ctx.baseUrl,
      tenantId: tenant.id,
      loginUrl:
        (await findSettings(ctx, tenant)) === null ? null : loginUrl(ctx.baseUrl, tenant.id),
      keysUsed: false,
      besideKeys: true,
      signedIn: false,
    },
    ...file,
  })
  return scriptedPage(c, html)
}

interface NewKeys {
  readonly operator: Operator
  readonly now: number
  readonly csrf: string
  readonly tenantId: string
  /** Shown verbatim, including the last line break. */
  readonly credentialsFileContent: string
  /** We have a copy of it: the owner can download it again. */
  readonly fileIsKept: boolean
  /** null: they no longer work. */
  readonly oldKeysUntil: number | null
  /** What the owner did. */
  readonly event: 'created' | 'claimed' | 'replaced'
  readonly steps: FirstSteps
}

/** The new keys. A reload shows them again for a minute after the decision. Its script adds a Copy button. */
export function newKeysPage(keys: NewKeys): Html {
  const { csrf, tenantId, credentialsFileContent, event, operator } = keys
  const title = event === 'created' ? 'Your new project' : 'New keys'
  return accountLayout({
    operator,
    title,
    csrf,
    head: script(copyScript),
    body: html`
      <h1>${title}</h1>
      ${event === 'claimed' && html`<p class="notice">The project is yours and no longer expires.</p>`}
      <p class="lead">${lead(keys)}</p>
      ${notice(keys)}
      <div class="command">${fileBlock(CREDENTIALS_FILENAME, null, credentialsFileContent, 'The key file')}</div>
      <p class="actions"><a class="button fit" href="${accountPaths.keyFile(tenantId)}">Download</a></p>
      <ol>
        ${steps(keys).map((step) => html`<li>${step}</li>`)}
      </ol>
      ${event !== 'replaced' && firstSteps(keys.steps)}
      <p><a href="${accountPaths.project(tenantId)}">Back to the project</a></p>
    `,
  })
}

function lead({ event, tenantId, oldKeysUntil, now }: NewKeys): Html {
  const project = html`<code class="tenant">${displayText(tenantId)}</code>`
  if (event === 'created') {
    return html`The keys of ${project} are below. They work now.`
  }
  return html`For ${project}. They work now. ${
    oldKeysUntil === null
      ? 'The old keys no longer work.'
      : html`The old keys work until ${timeTag(oldKeysUntil)} (${relativeTime(oldKeysUntil, now)}).`
  }`
}

const notice = ({ fileIsKept, tenantId }: NewKeys): Html =>
  fileIsKept
    ? html`<p class="notice">You can download this file again on the page <a href="${accountPaths.keys(tenantId)}">Keys</a>.</p>`
    : html`<p class="notice caution"><strong>This is shown once.</strong> Save it before you leave this page. If you lose it, replace the keys again.</p>`

const steps = ({ event, oldKeysUntil }: NewKeys): readonly Html[] => [
  html`Save all of it as <code>${CREDENTIALS_FILENAME}</code> in the root of your code${event !== 'created' && ', replacing the old file'}. Some browsers download it under another name, such as <code>service</code>: rename it.`,
  html`Keep it private: <code>chmod 600 ${CREDENTIALS_FILENAME}</code>, and no copy in version control, logs or chats.`,
  event === 'created'
    ? html`Then follow the first steps below, or give them to your coding agent.`
    : html`Deploy the new keys to your servers${oldKeysUntil === null ? ' now: they can’t use the old ones' : ' before the old ones expire'}.`,
]

/** Names a key file for the page that shows it for a minute. */
export const keyFileOf = (tenantId: string): string => `key-file:${tenantId}`

/** The browser saves the file. No other site can read it, and no cache stores it. */
export function downloadKeyFile(c: Call, content: string): Response {
  setHeaders(c, API_HEADERS)
  c.header('Content-Disposition', `attachment; filename="${CREDENTIALS_FILENAME}"`)
  c.header('Cross-Origin-Resource-Policy', 'same-origin')
  return c.text(content)
}
