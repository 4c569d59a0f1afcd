import { loginUrl, SCOPE_DESCRIPTIONS } from '@gatehouse/contract'
import type { Account } from '../../domain/accounts/account.ts'
import { defined } from '../../domain/defined.ts'
import { isClientDocumentUrl } from '../../domain/oauth/client.ts'
import {
  endAccountSession,
  listAccountSessions,
  signOut,
  signOutEverywhere,
} from '../../operations/accounts/account-session.ts'
import { startAccountSignIn } from '../../operations/accounts/sign-in.ts'
import type { Context } from '../../operations/context.ts'
import { listConnectedAgents, revokeConnectedAgent } from '../../operations/oauth/clients.ts'
import { type ProjectInsights, readInsights } from '../../operations/observability/insights.ts'
import { requestAddressKey } from '../callers/author.ts'
import { loginBrowserCookie, setLoginBrowserCookie } from '../callers/cookies.ts'
import { requireSameOrigin } from '../callers/same-origin.ts'
import { accountCookie, deleteAccountCookie, type SignedInOwner, signedInOwner } from '../callers/sessions.ts'
import type { App, Call, HttpDependencies } from '../dependencies.ts'
import { redirectTo } from '../edge/redirect-to.ts'
import { accountUsage } from '../pages/charts/bars.ts'
import { readForm } from '../request/body.ts'
import { page, scriptedPage } from '../responses.ts'
import { accountSignInPage, type ConnectedAgent, dashboardPage } from './account-pages.ts'
import { ACCOUNT_FORMS, idField, ownerPost, pageRoute } from './form.ts'
import { accountPaths, SIGN_IN_PATH } from './paths.ts'
import { projectSearch } from './project-list.ts'
import type { ProjectOverview } from './projects/project-card.ts'

/** By the query parameter `done`. Other values show nothing, so a link can't put words on the page. */
const STATUS_MESSAGES = new Map([
  ['signed-out', 'You’re signed out in this browser.'],
  ['signed-out-everywhere', 'You’re signed out in every browser.'],
  ['session-ended', 'Session ended.'],
  ['agent-revoked', 'Access revoked.'],
])

export function accountRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  pageRoute(app, deps, 'GET', accountPaths.home, async (c) => {
    const owner = await signedInOwner(ctx, c)
    const statusMessage = STATUS_MESSAGES.get(c.req.query('done') ?? '')
    if (owner !== null) return showDashboard(deps, c, owner, statusMessage)
    const html = accountSignInPage({
      operator: deps.operator,
      action: SIGN_IN_PATH,
      next: c.req.query('next') ?? accountPaths.home,
      ...defined({ statusMessage }),
    })
    return page(c, html, 200, deps.providerOrigins)
  })

  pageRoute(app, deps, 'POST', SIGN_IN_PATH, async (c) => {
    requireSameOrigin(c, ctx.baseUrl)
    const form = await readForm(c)
    return signInAndReturn(deps, c, form.get('next') ?? undefined)
  })

  ownerPost(app, deps, accountPaths.signOut, async (c) => {
    await signOut(ctx, accountCookie(c, ctx.baseUrl))
    deleteAccountCookie(c, ctx.baseUrl)
    return c.redirect(`${accountPaths.home}?done=signed-out`, 303)
  })

  ownerPost(app, deps, accountPaths.signOutEverywhere, async (c, { owner }) => {
    await signOutEverywhere(ctx, owner.session.account)
    deleteAccountCookie(c, ctx.baseUrl)
    return c.redirect(`${accountPaths.home}?done=signed-out-everywhere`, 303)
  })

  ownerPost(app, deps, accountPaths.endSession, async (c, { owner, form }) => {
    await endAccountSession(ctx, owner.session.account, idField(form.get('session')))
    return c.redirect(`${accountPaths.home}?done=session-ended`, 303)
  })
}

/** Redirects to Google, and afterwards to `next`, a path of this site. */
export async function signInAndReturn(deps: HttpDependencies, c: Call, next: string | undefined): Promise<Response> {
  const { ctx } = deps
  const { location, browser } = await startAccountSignIn(ctx, {
    browser: loginBrowserCookie(c, ctx.baseUrl),
    next,
    addressKey: requestAddressKey(deps, c),
    uiLocales: c.req.query('ui_locales'),
  })
  setLoginBrowserCookie(c, ctx.baseUrl, browser)
  return redirectTo(c, location.href)
}

async function showDashboard(
  { ctx, operator }: HttpDependencies,
  c: Call,
  owner: SignedInOwner,
  statusMessage: string | undefined,
): Promise<Response> {
  const { account } = owner.session
  const { usage, projects } = await readInsights(ctx, account)
  const agents = await connectedAgentsOf(ctx, account)
  const sessions = await listAccountSessions(ctx, account)
  const html = dashboardPage({
    operator,
    now: ctx.now(),
    csrf: owner.csrf(ACCOUNT_FORMS),
    account,
    usage: accountUsage(usage, ctx.now()),
    projects: projects.map((project) => overview(ctx.baseUrl, project)),
    search: projectSearch(c.req.query('q'), c.req.query('sort')),
    agents,
    sessions: sessions.map(({ id, device, createdAt, lastUsedAt }) => ({
      id: String(id),
      current: id === owner.session.id,
      device,
      createdAt,
      lastUsedAt,
    })),
    ...defined({ statusMessage }),
  })
  return scriptedPage(c, html)
}

const overview = (baseUrl: string, project: ProjectInsights): ProjectOverview => ({
  tenantId: project.tenant.id,
  name: project.name,
  logo: project.logo,
  eventsThisMonth: project.eventsThisMonth,
  suspended: project.tenant.suspension !== null,
  createdAt: project.tenant.createdAt,
  claimedAt: project.tenant.claimedAt ?? project.tenant.createdAt,
  usersTotal: project.users.total,
  activeSessions: project.activeSessions,
  loginUrl: project.provisioned ? loginUrl(baseUrl, project.tenant.id) : null,
  callbackHosts: project.callbackHosts,
  daily: project.daily,
  lastActivity: project.activity[0] ?? null,
})

/** The OAuth clients that an owner has authorized. */
export function agentRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps
  ownerPost(app, deps, accountPaths.revokeAgent, async (c, { owner, form }) => {
    await revokeConnectedAgent(ctx, owner.session.account, idField(form.get('grant')))
    return c.redirect(`${accountPaths.home}?done=agent-revoked`, 303)
  })
}

async function connectedAgentsOf(ctx: Context, account: Account): Promise<ConnectedAgent[]> {
  const grants = await listConnectedAgents(ctx, account)
  return grants.map(({ id, clientId, clientName, scopes, createdAt, lastUsedAt }) => ({
    id,
    name: clientName,
    describedAt: isClientDocumentUrl(clientId) ? new URL(clientId).host : null,
    permissions: scopes.map((scope) => SCOPE_DESCRIPTIONS[scope]),
    createdAt,
    lastUsedAt,
  }))
}
