import type { Tenant } from '../../../../domain/tenants/tenant.ts'
import { type NewTenant, type ReplacedKeys, readReplacedKeys } from '../../../../operations/tenants/keys.ts'
import { findKeptKeys } from '../../../../operations/tenants/status.ts'
import type { SignedInOwner } from '../../../callers/account-session.ts'
import { keepForDisplay, keptForDisplay } from '../../../callers/shown-secret-cookie.ts'
import type { Call, HttpDependencies } from '../../../dependencies.ts'
import { scriptedPage } from '../../../responses.ts'
import { newTenantView } from '../../../views.ts'
import { ACCOUNT_FORMS } from '../../form.ts'
import { keyFileOf } from './key-file.ts'
import { type NewKeys, newKeysPage } from './new-keys-page.ts'

interface Project {
  readonly owner: SignedInOwner
  readonly tenant: Tenant
}

interface NewKeyFile extends Pick<NewKeys, 'oldKeysUntil' | 'event'> {
  readonly content: string
}

export const contentOf = ({ ctx }: HttpDependencies, keys: NewTenant): string =>
  newTenantView(ctx.baseUrl, keys).credentials_file.content

/** The file that this browser got less than a minute ago. Replaced keys first: the cookie's are older. */
export async function readNewKeyFile(
  deps: HttpDependencies,
  c: Call,
  { owner, tenant }: Project,
): Promise<NewKeyFile | null> {
  const replaced = await readReplacedKeys(deps.ctx, { tenant, secrets: owner.secrets })
  if (replaced !== null)
    return { content: contentOf(deps, replaced), oldKeysUntil: replaced.oldKeysUntil, event: 'replaced' }
  const content = keptForDisplay(deps.ctx, c, owner, keyFileOf(tenant.id))
  return content === null ? null : { content, oldKeysUntil: null, event: 'created' }
}

/** Shows the new keys of an approved claim. The browser keeps them for a minute, for the download. */
export function showClaimedKeys(
  deps: HttpDependencies,
  c: Call,
  owner: SignedInOwner,
  keys: ReplacedKeys,
): Promise<Response> {
  const { tenant, oldKeysUntil } = keys
  const content = contentOf(deps, keys)
  keepForDisplay(deps.ctx, c, owner, keyFileOf(tenant.id), content)
  return showKeyFile(deps, c, { owner, tenant }, { content, oldKeysUntil, event: 'claimed' })
}

export async function showKeyFile(
  { ctx, operator }: HttpDependencies,
  c: Call,
  { owner, tenant }: Project,
  { content, ...file }: NewKeyFile,
): Promise<Response> {
  const html = newKeysPage({
    operator,
    now: ctx.now(),
    csrf: owner.csrf(ACCOUNT_FORMS),
    tenantId: tenant.id,
    credentialsFileContent: content,
    fileIsKept: (await findKeptKeys(ctx, tenant)) !== null,
    ...file,
  })
  return scriptedPage(c, html)
}
