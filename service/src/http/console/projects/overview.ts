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
import { consolePage } from '../console-page.ts'
import { accountPaths, withQuery } from '../paths.ts'
import * as list from './activity.ts'
import { type Change, changesTable, type RefusedSignIn, refusalsTable } from './changes.ts'
import { type FirstSteps, firstSteps } from './first-steps.ts'
import { tally } from './project-card.ts'
import { type Frame, pager } from './project-page.ts'

/** The tab "Overview". */
export const overviewRoute = consolePage({
  path: accountPaths.project,
  tab: 'overview',
  async load({ ctx, c, owner, tenant }): Promise<Overview> {
    const { provisioned, users, activeSessions } = await readProject(ctx, tenant)
    const login = provisioned ? loginUrl(ctx.baseUrl, tenant.id) : null
    const query = list.overviewQuery(c.req.query())
    const { events, hasMore } = await listActivity(ctx, tenant, {
      limit: list.SHOWN,
      ...list.filterOf(query),
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

export interface Overview {
  readonly createdAt: number
  readonly claimedAt: number
  readonly steps: FirstSteps
  /** The usage of all projects of the account together. */
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
  const { rows, unfinished } = list.folded(activity, query)
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
