import {
  type AuthEventKind,
  loginUrl,
  readInsights as readInsightsEndpoint,
} from '@gatehouse-auth/contract'
import { ApiError } from '../../../domain/api-error.ts'
import { defined } from '../../../domain/defined.ts'
import type { Daily } from '../../../domain/events/daily.ts'
import { fixFor } from '../../../domain/refusal.ts'
import { findAccountSession } from '../../../operations/accounts/account-session.ts'
import { readRecentActions } from '../../../operations/audit.ts'
import {
  readAccountUsage,
  readDaily,
  readInsights,
  readProject,
} from '../../../operations/observability/insights.ts'
import { listRefusals } from '../../../operations/refusals.ts'
import { followActivity, listActivity } from '../../../operations/social-login/events.ts'
import { listKeys } from '../../../operations/tenants/keys.ts'
import { requireOwnedTenant } from '../../../operations/tenants/require-tenant.ts'
import { requestAddressKey } from '../../callers/author.ts'
import { accountCookie, signedInOwner } from '../../callers/sessions.ts'
import type { App, HttpDependencies } from '../../dependencies.ts'
import { userView } from '../../event-views.ts'
import { mount } from '../../mount-endpoint.ts'
import { copyScript, liveScript } from '../../pages/assets.ts'
import { accountUsage, type Usage, usageBars } from '../../pages/charts/bars.ts'
import { CHART_KINDS, lastDays, totalOf } from '../../pages/charts/chart-kinds.ts'
import { eventChart } from '../../pages/charts/event-chart.ts'
import { commandBlock } from '../../pages/elements.ts'
import { script } from '../../pages/layout.ts'
import { type Html, html } from '../../pages/markup.ts'
import { formatCount } from '../../pages/text.ts'
import { timestampInText } from '../../pages/time.ts'
import { page } from '../../responses.ts'
import { accountUsageView } from '../../views.ts'
import { consolePage, type ProjectCall, projectRoute } from '../console-page.ts'
import { accountPaths, withQuery } from '../paths.ts'
import * as list from './activity.ts'
import { type Change, changesTable, type RefusedSignIn, refusalsTable } from './changes.ts'
import { type FirstSteps, firstSteps } from './first-steps.ts'
import { tally } from './project-card.ts'
import { type Frame, pager } from './project-page.ts'

const SHOWN = 30

/** The tab "Overview". */
export const overviewRoute = consolePage({
  path: accountPaths.project,
  tab: 'overview',
  async load({ ctx, c, owner, tenant }): Promise<Overview> {
    const { provisioned, users, activeSessions } = await readProject(ctx, tenant)
    const login = provisioned ? loginUrl(ctx.baseUrl, tenant.id) : null
    const query = list.overviewQuery(c.req.query())
    const { events, hasMore } = await listActivity(ctx, tenant, {
      limit: SHOWN,
      ...filterOf(query),
      ...defined({ before: query.before }),
    })
    return {
      createdAt: tenant.createdAt,
      claimedAt: tenant.claimedAt ?? tenant.createdAt,
      steps: {
        baseUrl: ctx.baseUrl,
        tenantId: tenant.id,
        loginUrl: login,
        keysUsed: (await listKeys(ctx, tenant)).some(({ lastUsedAt }) => lastUsedAt !== null),
        framework: query.framework,
        signedIn: users.total > 0,
      },
      usage: accountUsage(await readAccountUsage(ctx, owner.session.account), ctx.now()),
      users: users.total,
      sessions: activeSessions,
      query,
      daily: await readDaily(ctx, tenant, query.days),
      activity: events,
      olderThan: hasMore ? (events.at(-1)?.id ?? null) : null,
      refusals: (await listRefusals(ctx, tenant)).map((refusal) => ({
        ...refusal,
        fix: fixFor(refusal),
      })),
      changes: await readRecentActions(ctx, tenant),
    }
  },
  view: overviewView,
})

/** The rows that the script of the overview adds to the activity, as soon as there are some. */
export const liveActivityRoute = projectRoute(accountPaths.liveActivity, async (call) => {
  const { c, deps, ctx, owner, tenant } = call
  const query = list.overviewQuery(c.req.query())
  const activity = await followActivity(ctx, tenant, {
    account: owner.session.account,
    after: query.after ?? 0,
    limit: SHOWN,
    ...filterOf(query),
    addressKey: requestAddressKey(deps, c),
    signal: c.req.raw.signal,
  })
  if (activity.length > 0) {
    await requireStillOwner(call)
  }
  const { rows } = folded(activity, query)
  return page(
    c,
    html`<table data-after="${activity[0]?.id ?? query.after ?? 0}">${list.activityRows(tenant.id, rows, ctx.now())}</table>`,
  )
})

/** Prevents that a browser that was signed out during the wait reads what happened since. */
async function requireStillOwner({ ctx, c, tenant }: ProjectCall): Promise<void> {
  const session = await findAccountSession(ctx, accountCookie(c, ctx.baseUrl))
  if (session === null) {
    throw new ApiError('missingCredentials', 'You are no longer signed in.')
  }
  await requireOwnedTenant(ctx, session.account, tenant.id)
}

/** With a filter, every event has its line. */
const folded = (
  activity: readonly list.ListedActivity[],
  { event, user }: list.OverviewQuery,
): ReturnType<typeof list.foldStarts> =>
  event === undefined && user === undefined
    ? list.foldStarts(activity)
    : { rows: [...activity], unfinished: 0 }

/** Which events the page shows. */
const filterOf = ({
  event,
  user,
}: list.OverviewQuery): { event?: AuthEventKind; userId?: number } => ({
  ...defined({ event, userId: user }),
})

export interface Overview {
  readonly createdAt: number
  readonly claimedAt: number
  readonly steps: FirstSteps
  /** Of all projects of the account. */
  readonly usage: readonly Usage[]
  readonly users: number
  readonly sessions: number
  readonly daily: readonly Daily[]
  readonly query: list.OverviewQuery
  /** Newest first. */
  readonly activity: readonly list.ListedActivity[]
  /** The last event on this page; null: there are no older ones. */
  readonly olderThan: number | null
  /** Newest first. */
  readonly refusals: readonly RefusedSignIn[]
  /** Newest first. */
  readonly changes: readonly Change[]
}

function overviewView(frame: Frame, overview: Overview): Html {
  const { now, project } = frame
  const { users, sessions, daily, query, refusals, changes, steps, usage } = overview
  return html`
      ${steps.loginUrl !== null && html`<div class="login-link"><a href="${loginUrl('', steps.tenantId)}" target="_blank" rel="noopener">Login link</a>${commandBlock('Login link', steps.loginUrl)}</div>`}
      ${refusals.length > 0 && html`<h2>Refused sign-ins</h2>${refusalsTable(refusals, now)}`}
      ${!steps.signedIn && firstSteps(steps)}
      <div class="dashboard">
        <div><dl class="tally">
          ${tally('Users', users)}
          ${tally('Active sessions', sessions)}
          ${tally(`Sign-ins (${query.days} days)`, totalOf(lastDays(daily, now, query.days), 'logins'))}
        </dl>
        ${usageBars(usage.slice(0, 2), now)}</div>
        <div><div class="chart-choices"><h2 id="chart">Events per day</h2>${list.chartLinks(project.tenantId, query)}</div>
        ${eventChart(daily, now, query.days, CHART_KINDS[query.chart])}</div>
      </div>
      <h2 id="activity">Recent activity</h2>
      ${activitySection(project.tenantId, overview, now)}
      <h2>Changes</h2>
      ${changes.length === 0 ? changesTable(changes, now) : html`<details><summary>${formatCount(changes.length, 'change', 'changes')}</summary>${changesTable(changes, now)}</details>`}
      <p class="small-print">Created ${timestampInText(overview.createdAt, now)}, claimed ${timestampInText(overview.claimedAt, now)}.</p>
      ${script(copyScript)}
    `
}

const activitySection = (tenantId: string, overview: Overview, now: number): Html => {
  const { query, activity, olderThan, steps } = overview
  const { rows, unfinished } = folded(activity, query)
  const filtered =
    query.event !== undefined || query.user !== undefined || query.before !== undefined
  const first = list.overviewLink(tenantId, query, { before: undefined })
  // "Refresh" has no fragment: a link to a fragment of the current page doesn't reload it. Older pages don't change, and without social login nothing happens.
  const live = steps.loginUrl !== null && query.before === undefined
  const { event, user } = query
  return html`<div${live && html` data-live="${withQuery(accountPaths.liveActivity(tenantId), { event, user })}" data-now="${new Date(now).toISOString()}" data-after="${activity[0]?.id ?? 0}"`}>
    <div class="activity-bar">${list.activityFilter(tenantId, query)}<p class="live-bar"><a href="${first}">Refresh</a></p></div>
    ${
      activity.length === 0 && filtered
        ? html`<p class="none">No event matches. <a href="${accountPaths.project(tenantId)}#activity">Show all activity</a></p>`
        : list.activityTable(tenantId, rows, now)
    }
    ${unfinished > 0 && html`<p class="small-print">${formatCount(unfinished, 'sign-in was', 'sign-ins were')} started and not finished.</p>`}
    ${pager({
      label: 'Pages of activity',
      first: query.before === undefined ? null : `${first}#activity`,
      next:
        olderThan === null
          ? null
          : `${list.overviewLink(tenantId, query, { before: olderThan })}#activity`,
    })}</div>
    ${live && script(liveScript)}`
}

/** The insights of the signed-in owner as JSON. Fields are listed one by one, so that a new one never leaks. */
export function insightRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  mount(app, deps, readInsightsEndpoint, async (_input, c) => {
    const owner = await signedInOwner(ctx, c)
    if (owner === null) {
      throw new ApiError(
        'missingCredentials',
        `You are not signed in. Sign in at ${ctx.baseUrl}/account first.`,
      )
    }
    const { account, usage, projects } = await readInsights(ctx, owner.session.account)
    return {
      account: { email: account.email, tier: account.tier, usage: accountUsageView(usage) },
      projects: projects.map(({ tenant, users, activeSessions, activity, daily }) => ({
        tenant_id: tenant.id,
        created_at: new Date(tenant.createdAt).toISOString(),
        claimed_at: new Date(tenant.claimedAt ?? tenant.createdAt).toISOString(),
        users: { total: users.total, recent: users.recent.map(userView) },
        active_sessions: activeSessions,
        activity: activity.map(({ event, userId, email, createdAt, errorCode }) => ({
          event,
          user_id: userId,
          email,
          created_at_ms: createdAt,
          ...(errorCode === null ? {} : { error_code: errorCode }),
        })),
        daily: daily.map(({ day, logins, refreshes, logouts, failures }) => ({
          day,
          logins,
          refreshes,
          logouts,
          failures,
        })),
      })),
    }
  })
}
