import { loginUrl } from '@gatehouse/contract'
import { fixFor } from '../../../domain/refusals/refusal.ts'
import type { Tenant } from '../../../domain/tenants/tenant.ts'
import { readRecentActions } from '../../../operations/audit/list-audit.ts'
import { readActiveSessions, readProject } from '../../../operations/observability/read-insights.ts'
import { type DescribedProvider, listProviders } from '../../../operations/providers/list-providers.ts'
import { listRefusals } from '../../../operations/refusals/list-refusals.ts'
import { endSession } from '../../../operations/sessions/end-session.ts'
import { endTenant } from '../../../operations/tenants/end-tenant.ts'
import { KEY_REPLACEMENTS, type ReplacedKeys } from '../../../operations/tenants/key-replacement.ts'
import { readKeyGeneration, readReplacedKeys, replaceKeys } from '../../../operations/tenants/replace-keys.ts'
import { requireOwnedTenant } from '../../../operations/tenants/require-owned-tenant.ts'
import { readRemovals } from '../../../operations/users/list-removals.ts'
import { listWebhooks } from '../../../operations/webhooks/list-webhooks.ts'
import { type SignedInOwner, signedInOwner } from '../../callers/account-session.ts'
import { ownerAuthor } from '../../callers/author.ts'
import type { App, Call, HttpDependencies } from '../../dependencies.ts'
import { page } from '../../responses.ts'
import { newTenantView } from '../../views.ts'
import { ACCOUNT_FORMS, idField, ownerPost, pageRoute } from '../form.ts'
import { readKeyChoice } from '../key-choice.ts'
import { accountPaths } from '../paths.ts'
import { newKeysPage } from './new-keys-page.ts'
import { projectDeletedPage } from './project-deleted-page.ts'
import { projectPage } from './project-page.ts'
import { projectProviderRoutes, testMessage } from './providers.ts'

const PATH = '/account/projects/:tenantId'

/** By the query parameter `done`. Other values show nothing, so a link can't put words on the page. */
const STATUS_MESSAGES: ReadonlyMap<string, string> = new Map([
  ['session-ended', 'Session ended.'],
  ['provider-on', 'Provider switched on.'],
  ['provider-off', 'Provider removed. Users who signed in with it stay signed in.'],
  [
    'keys-unchanged',
    'These keys were already replaced, so nothing was changed. To replace the new ones, press the button again.',
  ],
  ['keys-hidden', 'New keys are shown once. If you haven’t saved them, replace them again.'],
])

export function projectRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps
  projectProviderRoutes(app, deps)

  pageRoute(app, deps, 'GET', PATH, async (c) => {
    const owner = await signedInOwner(ctx, c)
    if (owner === null) return c.redirect(`/account?next=${encodeURIComponent(c.req.path)}`, 303)
    const statusMessage = STATUS_MESSAGES.get(c.req.query('done') ?? '') ?? testMessage(c.req.query())
    return showProject(deps, c, owner, await ownedTenant(deps, c, owner), {
      ...(statusMessage ? { statusMessage } : {}),
    })
  })

  ownerPost(app, deps, `${PATH}/sessions/end`, async (c, { owner, form }) => {
    const tenant = await ownedTenant(deps, c, owner)
    await endSession(ctx, tenant, idField(form.get('session')), 'owner', ownerAuthor(c, owner))
    return c.redirect(projectDone(tenant, 'session-ended'), 303)
  })

  ownerPost(app, deps, `${PATH}/keys`, async (c, { owner, form }) => {
    const tenant = await ownedTenant(deps, c, owner)
    const replaced = await replaceKeys(ctx, {
      tenant,
      replacement: readKeyChoice(form, KEY_REPLACEMENTS),
      generation: idField(form.get('generation')),
      secrets: owner.secrets,
      author: ownerAuthor(c, owner),
    })
    // A reload of the result repeats a GET and not the replacement.
    return c.redirect(replaced ? accountPaths.replaceKeys(tenant.id) : projectDone(tenant, 'keys-unchanged'), 303)
  })

  pageRoute(app, deps, 'GET', `${PATH}/keys`, async (c) => {
    const owner = await signedInOwner(ctx, c)
    if (owner === null) return c.redirect(accountPaths.home, 303)
    const tenant = await ownedTenant(deps, c, owner)
    const replaced = await readReplacedKeys(ctx, { tenant, secrets: owner.secrets })
    return replaced === null
      ? c.redirect(projectDone(tenant, 'keys-hidden'), 303)
      : showNewKeys(deps, c, owner, replaced)
  })

  ownerPost(app, deps, `${PATH}/delete`, async (c, { owner, form }) => {
    const tenant = await ownedTenant(deps, c, owner)
    if (form.get('confirm')?.trim() !== tenant.id) {
      return showProject(deps, c, owner, tenant, { wrongConfirmation: true }, 400)
    }
    await endTenant(ctx, tenant, 'deleted')
    return page(c, projectDeletedPage({ tenantId: tenant.id, operator: deps.operator }))
  })
}

const projectDone = (tenant: Tenant, done: string): string => `${accountPaths.project(tenant.id)}?done=${done}`

/** The only response with the new keys. */
export function showNewKeys(
  { ctx, operator }: HttpDependencies,
  c: Call,
  owner: SignedInOwner,
  replaced: ReplacedKeys,
  extra: { readonly justClaimed?: boolean } = {},
): Response {
  const html = newKeysPage({
    operator,
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
  { ctx, operator }: HttpDependencies,
  c: Call,
  owner: SignedInOwner,
  tenant: Tenant,
  extra: { readonly statusMessage?: string; readonly wrongConfirmation?: boolean },
  status = 200,
): Promise<Response> {
  const project = await readProject(ctx, tenant)
  const providers = project.provisioned ? await listProviders(ctx, tenant) : null
  const sessions = await readActiveSessions(ctx, tenant)
  const html = projectPage({
    operator,
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
    refusals: (await listRefusals(ctx, tenant)).map((refusal) => ({ ...refusal, fix: fixFor(refusal) })),
    providers,
    availableProviders: SHAREABLE.filter(
      (name) => ctx.providers.shared(name) !== null && !providers?.some((provider) => provider.name === name),
    ),
    webhooks: await listWebhooks(ctx, tenant),
    removals: await readRemovals(ctx, tenant),
    changes: await readRecentActions(ctx, tenant),
    keyGeneration: await readKeyGeneration(ctx, tenant),
    ...extra,
  })
  return page(c, html, status, testFormActions(providers ?? []))
}

const SHAREABLE = ['github', 'microsoft'] as const

/** The button "Test sign-in" redirects to a provider, which may redirect further. */
function testFormActions(providers: readonly DescribedProvider[]): string[] {
  const own = providers.flatMap(({ client }) => (client?.mode === 'own' ? [client] : []))
  const local = own.flatMap(({ issuer }) => (issuer?.startsWith('http:') ? [new URL(issuer).origin] : []))
  return own.length === 0 ? [] : ['https:', ...local]
}
