import { AUTH_EVENT_KINDS, type AuthEventKind } from '@gatehouse/contract'
import { hiddenFields } from '../../../pages/button-form.ts'
import { CHART_KINDS, type ChartName } from '../../../pages/charts/chart-kinds.ts'
import { type Html, html } from '../../../pages/markup.ts'
import { accountPaths, withQuery } from '../../paths.ts'
import { EVENT_WORDS } from '../activity.ts'

/** The periods of the chart, in days. */
const RANGES = [7, 30, 90] as const

/** The query of the overview. */
export interface OverviewQuery {
  readonly days: (typeof RANGES)[number]
  /** What the chart counts. */
  readonly chart: ChartName
  readonly event: AuthEventKind | undefined
  /** The id of a user. */
  readonly user: number | undefined
  /** The last event of the previous page. */
  readonly before: number | undefined
  /** The newest event that the page has, when its script asks for newer ones. */
  readonly after?: number | undefined
}

const CHARTS = Object.keys(CHART_KINDS) as ChartName[]

const DIGITS = /^[1-9]\d{0,14}$/

/** Without a valid value, a parameter has no effect. */
export function overviewQuery(query: Readonly<Record<string, string>>): OverviewQuery {
  const id = (text: string | undefined) => (DIGITS.test(text ?? '') ? Number(text) : undefined)
  return {
    days: RANGES.find((days) => String(days) === query.days) ?? 30,
    chart: CHARTS.find((chart) => chart === query.chart) ?? 'sign-ins',
    event: AUTH_EVENT_KINDS.find((kind) => kind === query.event),
    user: id(query.user),
    before: id(query.before),
    after: id(query.after),
  }
}

/** The overview with other parameters; those that are not named stay. */
export const overviewLink = (tenantId: string, query: OverviewQuery, changes: Partial<OverviewQuery>): string => {
  const changed = { ...query, ...changes }
  const { event, user, before } = changed
  return withQuery(accountPaths.project(tenantId), { ...chartFields(changed), event, user, before })
}

/** The choices that aren't the defaults. */
const chartFields = ({ days, chart }: OverviewQuery) => ({
  chart: chart === 'sign-ins' ? undefined : chart,
  days: days === 30 ? undefined : days,
})

export const chartLinks = (tenantId: string, query: OverviewQuery): Html =>
  html`<nav class="ranges" aria-label="Chart">${CHARTS.map(
    (chart) =>
      html`<a href="${overviewLink(tenantId, query, { chart })}#chart"${chart === query.chart && html` aria-current="true"`}>${CHART_KINDS[chart].label}</a>`,
  )}</nav>`

export const rangeLinks = (tenantId: string, query: OverviewQuery): Html =>
  html`<nav class="ranges" aria-label="Period">${RANGES.map(
    (days) =>
      html`<a href="${overviewLink(tenantId, query, { days })}#chart"${days === query.days && html` aria-current="true"`}>${days} days</a>`,
  )}</nav>`

export const activityFilter = (tenantId: string, query: OverviewQuery): Html => {
  const { event, user } = query
  return html`<form class="filters" method="get" action="${accountPaths.project(tenantId)}#activity">
    ${hiddenFields(chartFields(query))}
    <div><label for="event">Event</label>
    <select id="event" name="event"><option value="">All</option>${AUTH_EVENT_KINDS.map(
      (kind) => html`<option value="${kind}"${kind === event && html` selected`}>${EVENT_WORDS[kind]}</option>`,
    )}</select></div>
    <div><label for="user">User id</label>
    <input id="user" name="user" type="text" inputmode="numeric" value="${user ?? ''}" maxlength="15" size="8" autocomplete="off"></div>
    <button class="quiet">Filter</button>
  </form>`
}
