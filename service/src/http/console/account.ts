import {
  ACTIVE_USER_EVENTS_PER_MONTH,
  SCOPE_DESCRIPTIONS,
  TIER_LIMITS,
} from '@gatehouse-auth/contract'
import type { Account, AccountSession, OwnerTier } from '../../domain/accounts/account.ts'
import { isClientDocumentUrl } from '../../domain/oauth/client.ts'
import type { Grant } from '../../domain/oauth/grant.ts'
import {
  endAccountSession,
  listAccountSessions,
  signOut,
  signOutEverywhere,
} from '../../operations/accounts/account-session.ts'
import { startAccountSignIn } from '../../operations/accounts/sign-in.ts'
import { readInsights } from '../../operations/events/insights.ts'
import { listConnectedAgents, revokeConnectedAgent } from '../../operations/oauth/clients.ts'
import { requestAddressKey } from '../callers/author.ts'
import { loginBrowserCookie, setLoginBrowserCookie } from '../callers/cookies.ts'
import { requireSameOrigin } from '../callers/same-origin.ts'
import {
  accountCookie,
  deleteAccountCookie,
  type SignedInOwner,
  signedInOwner,
} from '../callers/sessions.ts'
import type { App, Call, HttpDependencies } from '../dependencies.ts'
import { redirectTo } from '../edge/redirect-to.ts'
import { timesScript } from '../pages/assets.ts'
import { accountUsage, type Usage, usageBars } from '../pages/charts/bars.ts'
import { personRow } from '../pages/elements.ts'
import { buttonForm } from '../pages/fields.ts'
import { layout, script } from '../pages/layout.ts'
import { type Html, html, pageText } from '../pages/markup.ts'
import type { Operator } from '../pages/operator.ts'
import { providerForm } from '../pages/provider-button.ts'
import { clientLabel, displayText, formatNumber, HOST_MAX } from '../pages/text.ts'
import { relativeTime, timestampInText } from '../pages/time.ts'
import { readForm } from '../request/body.ts'
import { page, scriptedPage } from '../responses.ts'
import { ACCOUNT_FORMS, idField, type OwnerPost, ownerPost, pageRoute } from './form.ts'
import { signOut as signOutButton, statusNotice } from './layout.ts'
import { accountPaths, SIGN_IN_PATH } from './paths.ts'
import { type ProjectSearch, projectList, projectSearch, usageByProject } from './project-list.ts'
import type { ProjectOverview } from './projects/project-card.ts'

const DONE = {
  'signed-out': 'You’re signed out in this browser.',
  'signed-out-everywhere': 'You’re signed out in every browser.',
  'session-ended': 'Session ended.',
  'agent-revoked': 'Access revoked.',
} as const

/** By the query parameter `done`. Other values show nothing, so a link can't put words on the page. */
const STATUS_MESSAGES: ReadonlyMap<string, string> = new Map(Object.entries(DONE))

export function accountRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  pageRoute(app, deps, 'GET', accountPaths.home, async (c) => {
    const owner = await signedInOwner(ctx, c)
    if (owner !== null) {
      return scriptedPage(c, dashboardPage(await dashboard(deps, c, owner)))
    }
    const { done = '', next = accountPaths.home } = c.req.query()
    const html = accountSignInPage({
      operator: deps.operator,
      next,
      statusMessage: STATUS_MESSAGES.get(done),
    })
    return page(c, html, 200, deps.providerOrigins)
  })

  pageRoute(app, deps, 'POST', SIGN_IN_PATH, async (c) => {
    requireSameOrigin(c, ctx.baseUrl)
    const form = await readForm(c)
    return signInAndReturn(deps, c, form.get('next') ?? undefined)
  })

  const actions: Readonly<
    Record<
      keyof typeof DONE,
      readonly [path: string, run: (c: Call, post: OwnerPost) => Promise<void>]
    >
  > = {
    'signed-out': [accountPaths.signOut, (c) => signOut(ctx, accountCookie(c, ctx.baseUrl))],
    'signed-out-everywhere': [
      accountPaths.signOutEverywhere,
      (_, { owner }) => signOutEverywhere(ctx, owner.session.account),
    ],
    'session-ended': [
      accountPaths.endSession,
      (_, { owner, form }) =>
        endAccountSession(ctx, owner.session.account, idField(form.get('session'))),
    ],
    'agent-revoked': [
      accountPaths.revokeAgent,
      (_, { owner, form }) =>
        revokeConnectedAgent(ctx, owner.session.account, idField(form.get('grant'))),
    ],
  }
  for (const [done, [path, run]] of Object.entries(actions)) {
    ownerPost(app, deps, path, async (c, post) => {
      await run(c, post)
      if (done.startsWith('signed-out')) {
        deleteAccountCookie(c, ctx.baseUrl)
      }
      return c.redirect(`${accountPaths.home}?done=${done}`, 303)
    })
  }
}

/** Redirects to Google, and afterwards to `next`, a path of this site. */
export async function signInAndReturn(
  deps: HttpDependencies,
  c: Call,
  next: string | undefined,
): Promise<Response> {
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

async function dashboard(
  { ctx, operator }: HttpDependencies,
  c: Call,
  owner: SignedInOwner,
): Promise<Dashboard> {
  const { account } = owner.session
  const { usage, projects } = await readInsights(ctx, account)
  return {
    operator,
    now: ctx.now(),
    csrf: owner.csrf(ACCOUNT_FORMS),
    account,
    usage: accountUsage(usage, ctx.now()),
    projects,
    search: projectSearch(c.req.query('q'), c.req.query('sort')),
    agents: await listConnectedAgents(ctx, account),
    sessions: await listAccountSessions(ctx, account),
    current: owner.session.id,
    statusMessage: STATUS_MESSAGES.get(c.req.query('done') ?? ''),
  }
}

export interface Dashboard {
  readonly operator: Operator
  readonly now: number
  readonly csrf: string
  readonly account: Pick<Account, 'email' | 'name' | 'tier'>
  /** The total of all projects. */
  readonly usage: readonly Usage[]
  readonly projects: readonly ProjectOverview[]
  readonly search: ProjectSearch
  /** OAuth clients that the account has authorized. The id of a grant is no secret. */
  readonly agents: readonly Pick<
    Grant,
    'id' | 'clientId' | 'clientName' | 'scopes' | 'createdAt' | 'lastUsedAt'
  >[]
  /** The browsers that are signed in to the account. */
  readonly sessions: readonly Pick<AccountSession, 'id' | 'device' | 'createdAt' | 'lastUsedAt'>[]
  /** The session that this page is shown to. */
  readonly current: number
  /** The result of the last action. */
  readonly statusMessage: string | undefined
}

/** `/account`. */
export function dashboardPage(dashboard: Dashboard): Html {
  const { now, csrf, account, usage, projects, search } = dashboard
  return layout({
    kind: 'reading',
    operator: dashboard.operator,
    title: 'Your projects',
    head: script(timesScript),
    body: html`
      <div class="page-head"><h1>Your projects</h1><a class="button fit small" href="${accountPaths.newProject}">New project</a></div>
      ${statusNotice(dashboard.statusMessage)}
      <div class="account-head">
        ${personRow(account)}
        <span class="badge">${TIER_NAMES[account.tier]}</span>
        ${signOutButton(csrf)}
      </div>
      ${projects.length === 0 ? NO_PROJECTS : projectList(projects, search, now)}
      <h2>Usage</h2>
      <p class="aside">All your projects share these limits. ${fits(account.tier)} <a href="/docs/limits#how-many-people-fit">How it adds up</a></p>
      ${usageBars(usage, now)}
      ${usageByProject(projects)}
      <h2>Connected agents</h2>
      ${connectedAgents(dashboard)}
      <h2>Your sessions</h2>
      ${sessionList(dashboard)}
    `,
  })
}

/** Owners compare a number of events with a number of people. */
const fits = (tier: OwnerTier): string => {
  const limit = TIER_LIMITS[tier].eventsPerMonth ?? 0
  const people = Math.floor(limit / ACTIVE_USER_EVENTS_PER_MONTH)
  return `${formatNumber(limit)} events cover about ${formatNumber(people)} people who use your apps all day, session refreshes included.`
}

const TIER_NAMES: Readonly<Record<OwnerTier, string>> = {
  free: 'Free tier',
  plus: 'Plus tier',
  pro: 'Pro tier',
}

const NO_PROJECTS = pageText('no-projects')()
const SIGN_IN_TEXT = pageText('account-sign-in')

interface AccountSignIn extends Pick<Dashboard, 'operator' | 'statusMessage'> {
  /** The path to return to after signing in. */
  readonly next: string
}

/** `/account` without a session. */
export const accountSignInPage = ({ next, statusMessage, operator }: AccountSignIn): Html =>
  layout({
    kind: 'card',
    operator,
    title: 'Sign in to your account',
    body: SIGN_IN_TEXT({
      status: statusNotice(statusMessage),
      button: signInForm(next),
    }),
    footer: html`<p>You don’t need an account to sign in to an app that uses Gatehouse.</p>`,
  })

export const signInForm = (next: string): Html =>
  providerForm({
    action: SIGN_IN_PATH,
    csrf: undefined,
    fields: { next },
    provider: 'google',
    words: 'signInWith',
  })

const sessionList = ({ sessions, current, csrf, now }: Dashboard): Html => html`
  <ul class="rows">${sessions.map(
    // The current session has no button: "Sign out" above does the same.
    ({ id, device, createdAt, lastUsedAt }) => html`<li class="row">
    <p id="browser-${id}">${device ?? 'Unknown browser'} <span class="address">Last used ${relativeTime(lastUsedAt, now)}, signed in ${timestampInText(createdAt, now)}</span></p>
    ${
      id === current
        ? html`<span class="badge">This browser</span>`
        : rowButton(
            accountPaths.endSession,
            csrf,
            'End this session',
            { session: id },
            `browser-${id}`,
          )
    }
  </li>`,
  )}</ul>
  <p class="small-print">Signing out everywhere ends all of these sessions, including this one. The users of your projects stay signed in.</p>
  ${buttonForm({ action: accountPaths.signOutEverywhere, csrf, label: 'Sign out everywhere', variant: 'quiet' })}`

const rowButton = (
  action: string,
  csrf: string,
  label: string,
  fields: Readonly<Record<string, number>>,
  describedBy: string,
): Html => buttonForm({ action, csrf, label, fields, describedBy, variant: 'small' })

/** The badge is the host of its client metadata document; after dynamic registration there is none. */
const connectedAgents = ({ agents, csrf, now }: Dashboard): Html =>
  agents.length === 0
    ? html`<p class="none">No agents connected.</p>`
    : html`<ul class="rows">${agents.map(
        ({ id, clientId, clientName, scopes, createdAt, lastUsedAt }) => html`<li class="row">
    <div class="agent">
      <h3 id="agent-${id}"><bdi>${clientLabel(clientName)}</bdi>${
        isClientDocumentUrl(clientId) &&
        html` <span class="badge">${displayText(new URL(clientId).host, HOST_MAX)}</span>`
      }</h3>
      <p class="address">Last used ${relativeTime(lastUsedAt, now)}. Allowed ${timestampInText(createdAt, now)}.</p>
      <ul>${scopes.map((scope) => html`<li>${SCOPE_DESCRIPTIONS[scope]}</li>`)}</ul>
    </div>
    ${rowButton(accountPaths.revokeAgent, csrf, 'Revoke', { grant: id }, `agent-${id}`)}
  </li>`,
      )}</ul>`
