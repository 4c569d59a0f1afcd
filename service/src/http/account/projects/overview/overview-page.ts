import { liveScript } from '../../../pages/assets.ts'
import { CHART_KINDS } from '../../../pages/charts/chart-kinds.ts'
import { eventChart } from '../../../pages/charts/event-chart.ts'
import { commandBlock } from '../../../pages/code.ts'
import { script } from '../../../pages/layout.ts'
import { type Html, html } from '../../../pages/markup.ts'
import { timestamp } from '../../../pages/time.ts'
import { accountPaths, withQuery } from '../../paths.ts'
import { consolePage, type Frame } from '../console.ts'
import { type Day, lastDays, totalOf } from '../daily.ts'
import { pager } from '../pager.ts'
import { tally } from '../project-card.ts'
import { activityFilter, chartLinks, type OverviewQuery, overviewLink, rangeLinks } from './activity-filter.ts'
import { activityTable, type ListedActivity } from './activity-table.ts'
import { type Change, changesTable } from './changes-table.ts'
import { type RefusedSignIn, refusalsTable } from './refusals-table.ts'

export interface Overview {
  readonly createdAt: number
  readonly claimedAt: number
  /** null: no callback is registered yet. */
  readonly loginUrl: string | null
  readonly users: number
  readonly sessions: number
  readonly daily: readonly Day[]
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

/** `/account/projects/:tenantId`. */
export const overviewPage = (frame: Frame, overview: Overview): Html => {
  const { now, project } = frame
  const { users, sessions, daily, query, refusals, changes } = overview
  return consolePage(
    frame,
    'overview',
    html`
      <dl class="tally">
        ${tally('Users', users)}
        ${tally('Active sessions', sessions)}
        ${tally(`Sign-ins (${query.days} days)`, totalOf(lastDays(daily, now, query.days), 'logins'))}
      </dl>
      <h2 id="chart">Events per day</h2>
      <div class="chart-choices">${chartLinks(project.tenantId, query)}${rangeLinks(project.tenantId, query)}</div>
      ${eventChart(daily, now, query.days, CHART_KINDS[query.chart])}
      <h2 id="activity">Recent activity</h2>
      ${activitySection(project.tenantId, overview, now)}
      <h2>Refused sign-ins</h2>
      ${refusalsTable(refusals, now)}
      <h2>Changes</h2>
      ${changesTable(changes, now)}
      <h2>About this project</h2>
      ${facts(overview, now)}
    `,
  )
}

const activitySection = (tenantId: string, overview: Overview, now: number): Html => {
  const { query, activity, olderThan, loginUrl } = overview
  const filtered = query.event !== undefined || query.user !== undefined || query.before !== undefined
  const first = overviewLink(tenantId, query, { before: undefined })
  // "Refresh" has no fragment: a link to a fragment of the current page doesn't reload it. Older pages don't change, and without social login nothing happens.
  const live = loginUrl !== null && query.before === undefined
  const { event, user } = query
  return html`${activityFilter(tenantId, query)}
    <div${live && html` data-live="${withQuery(accountPaths.liveActivity(tenantId), { event, user })}" data-now="${new Date(now).toISOString()}"`}>
    <p class="live-bar"><a href="${first}">Refresh</a></p>
    ${
      activity.length === 0 && filtered
        ? html`<p class="none">No event matches. <a href="${accountPaths.project(tenantId)}#activity">Show all activity</a></p>`
        : activityTable(tenantId, activity, now)
    }
    ${pager({
      label: 'Pages of activity',
      first: query.before === undefined ? null : `${first}#activity`,
      next: olderThan === null ? null : `${overviewLink(tenantId, query, { before: olderThan })}#activity`,
    })}</div>
    ${live && script(liveScript)}`
}

const facts = ({ createdAt, claimedAt, loginUrl }: Overview, now: number): Html => html`<dl class="facts">
    <dt>Created</dt>
    <dd>${timestamp(createdAt, now)}</dd>
    <dt>Claimed</dt>
    <dd>${timestamp(claimedAt, now)}</dd>
    <dt>Login link</dt>
    <dd>${loginUrl === null ? html`<p class="none">Available after a callback URL is registered.</p>` : commandBlock('Login link', loginUrl)}</dd>
  </dl>`
