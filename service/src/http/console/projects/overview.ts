import { loginUrl } from '@gatehouse-auth/contract'
import { defined } from '../../../domain/defined.ts'
import type { Daily } from '../../../domain/events/daily.ts'
import { fixFor } from '../../../domain/login/refusal.ts'
import { listActivity } from '../../../operations/events/events.ts'
import { readAccountUsage, readDaily, readProject } from '../../../operations/events/insights.ts'
import { listRefusals } from '../../../operations/login/refusals.ts'
import { readRecentActions } from '../../../operations/tenants/audit.ts'
import { listKeys } from '../../../operations/tenants/keys.ts'
import { copyScript, liveScript } from '../../pages/assets.ts'
import { accountUsage, type Usage, usageBars } from '../../pages/charts/bars.ts'
import { CHART_KINDS, lastDays, totalOf } from '../../pages/charts/chart-kinds.ts'
import { eventChart } from '../../pages/charts/event-chart.ts'
import { commandBlock } from '../../pages/elements.ts'
import { script } from '../../pages/layout.ts'
import { type Html, html } from '../../pages/markup.ts'
import { formatCount } from '../../pages/text.ts'
import { timestampInText } from '../../pages/time.ts'
import { consolePage, type PageCall } from '../console-page.ts'
import { accountPaths, withQuery } from '../paths.ts'
import {
  activityFilter,
  activityTable,
  chartLinks,
  filterOf,
  folded,
  type ListedActivity,
  type OverviewQuery,
  overviewLink,
  overviewQuery,
  SHOWN,
} from './activity.ts'
import { type Change, changesTable, type RefusedSignIn, refusalsTable } from './changes.ts'
import { type FirstSteps, firstSteps } from './first-steps.ts'
import { tally } from './project-card.ts'
import { type Frame, pager } from './project-page.ts'

/** The tab "Overview". */
export const overviewRoute = consolePage({
  path: accountPaths.project,
  tab: 'overview',
  load: loadOverview,
  view: overviewView,
})

export interface Overview {
  readonly createdAt: number
  readonly claimedAt: number
  readonly steps: FirstSteps
  /** The usage of all projects of the account together. */
  readonly usage: readonly Usage[]
  readonly users: number
  readonly sessions: number
  readonly daily: readonly Daily[]
  readonly query: OverviewQuery
  /** Newest first. */
  readonly activity: readonly ListedActivity[]
  /** The last event on this page; null: there are no older ones. */
  readonly olderThan: number | null
  /** Newest first. */
  readonly refusals: readonly RefusedSignIn[]
  /** Newest first. */
  readonly changes: readonly Change[]
}

async function loadOverview({ ctx, c, owner, tenant }: PageCall): Promise<Overview> {
  const query = overviewQuery(c.req.query())
  const { provisioned, users, activeSessions } = await readProject(ctx, tenant)
  const keys = await listKeys(ctx, tenant)
  const usage = await readAccountUsage(ctx, owner.session.account)
  const refusals = await listRefusals(ctx, tenant)
  const { events, hasMore } = await listActivity(ctx, tenant, {
    limit: SHOWN,
    ...filterOf(query),
    ...defined({ before: query.before }),
  })
  const last = events.at(-1)

  return {
    createdAt: tenant.createdAt,
    claimedAt: tenant.claimedAt ?? tenant.createdAt,
    steps: {
      baseUrl: ctx.baseUrl,
      tenantId: tenant.id,
      loginUrl: provisioned ? loginUrl(ctx.baseUrl, tenant.id) : null,
      keysUsed: keys.some(({ lastUsedAt }) => lastUsedAt !== null),
      framework: query.framework,
      signedIn: users.total > 0,
    },
    usage: accountUsage(usage, ctx.now()),
    users: users.total,
    sessions: activeSessions,
    query,
    daily: await readDaily(ctx, tenant, query.days),
    activity: events,
    olderThan: hasMore && last !== undefined ? last.id : null,
    refusals: refusals.map((refusal) => ({ ...refusal, fix: fixFor(refusal) })),
    changes: await readRecentActions(ctx, tenant),
  }
}

function overviewView({ now, project }: Frame, overview: Overview): Html {
  const { tenantId } = project
  const { steps, refusals, createdAt, claimedAt } = overview
  const created = timestampInText(createdAt, now)
  const claimed = timestampInText(claimedAt, now)

  return html`
      ${steps.loginUrl !== null && loginLink(steps.tenantId, steps.loginUrl)}
      ${refusals.length > 0 && html`<h2>Refused sign-ins</h2>${refusalsTable(refusals, now)}`}
      ${!steps.signedIn && firstSteps(steps)}
      <div class="dashboard">
        ${numbers(overview, now)}
        ${eventsPerDay(tenantId, overview, now)}
      </div>
      <h2 id="activity">Recent activity</h2>
      ${activitySection(tenantId, overview, now)}
      <h2>Changes</h2>
      ${changesSection(overview.changes, now)}
      <p class="small-print">Created ${created}, claimed ${claimed}.</p>
      ${script(copyScript)}
    `
}

const loginLink = (tenantId: string, url: string): Html =>
  html`<div class="login-link"><a href="${loginUrl('', tenantId)}" target="_blank" rel="noopener">Login link</a>${commandBlock('Login link', url)}</div>`

function numbers({ users, sessions, daily, query, usage }: Overview, now: number): Html {
  const signIns = totalOf(lastDays(daily, now, query.days), 'logins')
  const thisMonth = usage.slice(0, 2)

  return html`<div><dl class="tally">
          ${tally('Users', users)}
          ${tally('Active sessions', sessions)}
          ${tally(`Sign-ins (${query.days} days)`, signIns)}
        </dl>
        ${usageBars(thisMonth, now)}</div>`
}

const eventsPerDay = (tenantId: string, { daily, query }: Overview, now: number): Html =>
  html`<div><div class="chart-choices"><h2 id="chart">Events per day</h2>${chartLinks(tenantId, query)}</div>
        ${eventChart(daily, now, query.days, CHART_KINDS[query.chart])}</div>`

function changesSection(changes: readonly Change[], now: number): Html {
  const table = changesTable(changes, now)
  if (changes.length === 0) {
    return table
  }

  const count = formatCount(changes.length, 'change', 'changes')
  return html`<details><summary>${count}</summary>${table}</details>`
}

function activitySection(tenantId: string, overview: Overview, now: number): Html {
  const { query, activity, olderThan } = overview
  const { rows, unfinished } = folded(activity, query)
  const newest = overviewLink(tenantId, query, { before: undefined })
  const older = overviewLink(tenantId, query, { before: olderThan ?? undefined })
  // Older pages don't change, and without social login nothing happens.
  const isLive = overview.steps.loginUrl !== null && query.before === undefined

  // "Refresh" has no fragment: a link to a fragment of the current page doesn't reload it.
  return html`<div${isLive && liveAttributes(tenantId, overview, now)}>
    <div class="activity-bar">${activityFilter(tenantId, query)}<p class="live-bar"><a href="${newest}">Refresh</a></p></div>
    ${activity.length === 0 && isFiltered(query) ? noMatch(tenantId) : activityTable(tenantId, rows, now)}
    ${unfinished > 0 && html`<p class="small-print">${formatCount(unfinished, 'sign-in was', 'sign-ins were')} started and not finished.</p>`}
    ${pager({
      label: 'Pages of activity',
      first: query.before === undefined ? null : `${newest}#activity`,
      next: olderThan === null ? null : `${older}#activity`,
    })}</div>
    ${isLive && script(liveScript)}`
}

/** What the script of the page asks for: the events after the newest one that the page has. */
function liveAttributes(tenantId: string, { query, activity }: Overview, now: number): Html {
  const { event, user } = query
  const address = withQuery(accountPaths.liveActivity(tenantId), { event, user })
  const newestId = activity[0]?.id ?? 0
  return html` data-live="${address}" data-now="${new Date(now).toISOString()}" data-after="${newestId}"`
}

const isFiltered = ({ event, user, before }: OverviewQuery): boolean =>
  event !== undefined || user !== undefined || before !== undefined

const noMatch = (tenantId: string): Html =>
  html`<p class="none">No event matches. <a href="${accountPaths.project(tenantId)}#activity">Show all activity</a></p>`
