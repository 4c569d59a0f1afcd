import { loginUrl } from '@gatehouse/contract'
import type { Tenant } from '../../../domain/tenants/tenant.ts'
import { readActiveSessions, readProject } from '../../../operations/observability/read-insights.ts'
import { endSession } from '../../../operations/sessions/end-session.ts'
import { endTenant } from '../../../operations/tenants/end-tenant.ts'
import { type ReplacedKeys, replaceKeys } from '../../../operations/tenants/replace-keys.ts'
import { requireOwnedTenant } from '../../../operations/tenants/require-owned-tenant.ts'
import { type SignedInOwner, signedInOwner } from '../../callers/account-session.ts'
import type { App, Call, HttpDependencies } from '../../dependencies.ts'
import { page } from '../../responses.ts'
import { newTenantView } from '../../views.ts'
import { ACCOUNT_FORMS, idField, ownerPost, pageRoute } from '../form.ts'
import { readKeyChoice } from '../key-choice.ts'
import { accountPaths } from '../paths.ts'
import { newKeysPage } from './new-keys-page.ts'
import { projectDeletedPage } from './project-deleted-page.ts'
import { projectPage } from './project-page.ts'
import { REPLACEMENTS } from './project-settings.ts'

const PATH = '/account/projects/:tenantId'

export function projectRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  pageRoute(app, deps, 'GET', PATH, async (c) => {
    const owner = await signedInOwner(ctx, c)
    if (owner === null) return c.redirect(`/account?next=${encodeURIComponent(c.req.path)}`, 303)
    const statusMessage = c.req.query('done') === 'session-ended' ? 'Session ended.' : undefined
    return showProject(deps, c, owner, await ownedTenant(deps, c, owner), {
      ...(statusMessage ? { statusMessage } : {}),
    })
  })

  ownerPost(app, deps, `${PATH}/sessions/end`, async (c, { owner, form }) => {
    const tenant = await ownedTenant(deps, c, owner)
    await endSession(ctx, tenant, idField(form.get('session')), 'user')
    return c.redirect(`${accountPaths.project(tenant.id)}?done=session-ended`, 303)
  })

  ownerPost(app, deps, `${PATH}/keys`, async (c, { owner, form }) => {
    const tenant = await ownedTenant(deps, c, owner)
    return showNewKeys(deps, c, owner, await replaceKeys(ctx, tenant, readKeyChoice(form, REPLACEMENTS)))
  })

  ownerPost(app, deps, `${PATH}/delete`, async (c, { owner, form }) => {
    const tenant = await ownedTenant(deps, c, owner)
    if (form.get('confirm')?.trim() !== tenant.id) {
      return showProject(deps, c, owner, tenant, { wrongConfirmation: true }, 400)
    }
    await endTenant(ctx, tenant, 'deleted')
    return page(c, projectDeletedPage({ tenantId: tenant.id }))
  })
}

/** The only response with the new keys. */
export function showNewKeys(
  { ctx }: HttpDependencies,
  c: Call,
  owner: SignedInOwner,
  replaced: ReplacedKeys,
  extra: { readonly justClaimed?: boolean } = {},
): Response {
  const html = newKeysPage({
    now: ctx.now(),
    csrf: owner.csrf(ACCOUNT_FORMS),
    tenantId: replaced.tenant.id,
    credentialsFileContent: newTenantView(ctx.baseUrl, replaced).credentials_file.content,
    oldKeysUntil: replaced.oldKeysUntil,
    ...extra,
  })
  return page(c, html)
}

const ownedTenant = ({ ctx }: HttpDependencies, c: Call, { session }: SignedInOwner): Promise<Tenant> =>
  requireOwnedTenant(ctx, session.account, c.req.param('tenantId') ?? '')

async function showProject(
  { ctx }: HttpDependencies,
  c: Call,
  owner: SignedInOwner,
  tenant: Tenant,
  extra: { readonly statusMessage?: string; readonly wrongConfirmation?: boolean },
  status = 200,
): Promise<Response> {
  const project = await readProject(ctx, tenant)
  const sessions = await readActiveSessions(ctx, tenant)
  const html = projectPage({
    now: ctx.now(),
    csrf: owner.csrf(ACCOUNT_FORMS),
    tenantId: tenant.id,
    createdAt: tenant.createdAt,
    claimedAt: tenant.claimedAt ?? tenant.createdAt,
    loginUrl: project.provisioned ? loginUrl(ctx.baseUrl, tenant.id) : null,
    callbackHosts: project.callbackHosts,
    users: project.users,
    sessions: { total: project.activeSessions, recent: sessions },
    daily: project.daily,
    activity: project.activity,
    ...extra,
  })
  return page(c, html, status)
}
