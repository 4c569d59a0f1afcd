import { AUTH_EVENT_KINDS, type AuthEventKind } from '@gatehouse-auth/contract'
import { defined } from '../../../domain/defined.ts'
import { ATTEMPT_LIFETIME_MS } from '../../../domain/login/attempt.ts'
import { CHART_KINDS, type ChartName } from '../../pages/charts/chart-kinds.ts'
import { emailText, heading, scrollTable } from '../../pages/elements.ts'
import { hiddenFields, selectField } from '../../pages/fields.ts'
import { type Html, html } from '../../pages/markup.ts'
import { displayText } from '../../pages/text.ts'
import { timestamp } from '../../pages/time.ts'
import { accountPaths, withQuery } from '../paths.ts'
import { FRAMEWORKS } from './frameworks.ts'

/** An auth event as the owner may see it: no URLs, no tokens, no raw metadata. */
export interface Activity {
  readonly event: AuthEventKind
  readonly userId: number | null
  readonly email: string | null
  readonly createdAt: number
  /** Set for failed sign-ins only. */
  readonly errorCode: string | null
}

export const EVENT_WORDS: Readonly<Record<AuthEventKind, string>> = {
  login_started: 'Sign-in started',
  consent_denied: 'Sign-in declined',
  authorize: 'Signed in',
  login_failed: 'Sign-in failed',
  token_refreshed: 'Session refreshed',
  logout: 'Signed out',
}

/** The periods of the chart, in days. */
const RANGES = [7, 30, 90] as const

/** The query of the overview. */
export interface OverviewQuery {
  readonly days: (typeof RANGES)[number]
  /** What the chart counts. */
  readonly chart: ChartName
  /** The framework that the first steps show. */
  readonly framework?: string | undefined
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
    framework: FRAMEWORKS.find(({ name }) => name === query.framework)?.name,
    event: AUTH_EVENT_KINDS.find((kind) => kind === query.event),
    user: id(query.user),
    before: id(query.before),
    after: id(query.after),
  }
}

/** The overview with other parameters; those that are not named stay. */
export const overviewLink = (
  tenantId: string,
  query: OverviewQuery,
  changes: Partial<OverviewQuery>,
): string => {
  const changed = { ...query, ...changes }
  const { event, user, before } = changed
  return withQuery(accountPaths.project(tenantId), { ...chartFields(changed), event, user, before })
}

/** The choices that aren't the defaults. */
const chartFields = ({ days, chart, framework }: OverviewQuery) => ({
  framework,
  chart: chart === 'sign-ins' ? undefined : chart,
  days: days === 30 ? undefined : days,
})

type Choice = readonly [href: string, isCurrent: boolean, words: string]

export function links(label: string, choices: readonly Choice[], newTab = false): Html {
  const items = choices.map(
    ([href, isCurrent, words]) =>
      html`<a href="${href}"${isCurrent && html` aria-current="true"`}${newTab && html` target="_blank"`}>${words}</a>`,
  )
  return html`<nav class="ranges" aria-label="${label}">${items}</nav>`
}

/** The period of the chart, and what it counts. */
export function chartLinks(tenantId: string, query: OverviewQuery): Html {
  const link = (changes: Partial<OverviewQuery>): string =>
    `${overviewLink(tenantId, query, changes)}#chart`
  const periods = RANGES.map(
    (days): Choice => [link({ days }), days === query.days, `${days} days`],
  )
  const charts = CHARTS.map(
    (chart): Choice => [link({ chart }), chart === query.chart, CHART_KINDS[chart].label],
  )

  return html`${links('Period', periods)}${links('Chart', charts)}`
}

export const activityFilter = (tenantId: string, query: OverviewQuery): Html => {
  const { event, user } = query
  return html`<form class="filters" method="get" action="${accountPaths.project(tenantId)}#activity">
    ${hiddenFields(chartFields(query))}
    <div><label for="event">Event</label>
    ${selectField('event', { '': 'All', ...EVENT_WORDS }, event ?? '')}</div>
    <div><label for="user">User id</label>
    <input id="user" name="user" type="text" inputmode="numeric" value="${user ?? ''}" maxlength="15" size="8" autocomplete="off"></div>
    <button class="quiet">Filter</button>
  </form>`
}

export interface ListedActivity extends Activity {
  readonly id: number
  /** When the sign-in started that this event ended. */
  readonly startedAt?: number
}

const ENDS: readonly AuthEventKind[] = ['authorize', 'consent_denied', 'login_failed']

interface FoldedActivity {
  /** Newest first. */
  readonly rows: readonly ListedActivity[]
  /** Starts of sign-ins that have no end. */
  readonly unfinished: number
}

/**
 * Folds the start and the end of a sign-in into one line. Events don't name their sign-in, so the starts of two sign-ins at
 * once may be exchanged.
 */
function foldStarts(events: readonly ListedActivity[]): FoldedActivity {
  const starts = events.filter(({ event }) => event === 'login_started')
  const others = events.filter(({ event }) => event !== 'login_started')

  const rows = others.map((row) => {
    const start = ENDS.includes(row.event) ? takeStart(starts, row) : undefined
    return start === undefined ? row : { ...row, startedAt: start.createdAt }
  })

  return { rows, unfinished: starts.length }
}

/** Removes and returns the nearest start before this end that is young enough. The starts are sorted, newest first. */
function takeStart(starts: ListedActivity[], end: ListedActivity): ListedActivity | undefined {
  const earliest = end.createdAt - ATTEMPT_LIFETIME_MS
  const at = starts.findIndex(({ id, createdAt }) => id < end.id && createdAt >= earliest)
  return at === -1 ? undefined : starts.splice(at, 1)[0]
}

/** `tenantId`: null on the page of a user, who is in every line. */
export const activityTable = (
  tenantId: string | null,
  activity: readonly ListedActivity[],
  now: number,
): Html =>
  scrollTable({
    caption: 'Newest first',
    label: 'Recent activity',
    head: (tenantId === null ? ['Event', 'When'] : ['Event', 'User', 'When']).map(heading),
    rows: activityRows(tenantId, activity, now),
    none: 'No activity yet.',
  })

export const activityRows = (
  tenantId: string | null,
  activity: readonly ListedActivity[],
  now: number,
): Html[] => activity.map((row) => activityRow(tenantId, row, now))

function activityRow(tenantId: string | null, row: ListedActivity, now: number): Html {
  const { id, userId, email, createdAt, errorCode } = row
  return html`<tr data-event="${id}">
      <td class="event">${whatHappened(row, now)}${errorCode !== null && html` <code class="error-code">${displayText(errorCode)}</code>`}</td>
      ${tenantId !== null && html`<td class="who">${who(tenantId, userId, email)}</td>`}
      <td>${timestamp(createdAt, now)}</td>
    </tr>`
}

function whatHappened({ event, startedAt }: ListedActivity, now: number): string | Html {
  if (startedAt === undefined) {
    return EVENT_WORDS[event]
  }
  const start = html`${EVENT_WORDS.login_started} ${timestamp(startedAt, now)}`
  return html`<details><summary>${EVENT_WORDS[event]}</summary><p class="address">${start}</p></details>`
}

/** Before a sign-in is finished, its user is unknown. */
function who(tenantId: string, userId: number | null, email: string | null): Html {
  if (email === null) {
    return html`<span class="none">Unknown</span>`
  }
  return userId === null
    ? emailText(email)
    : html`<a href="${accountPaths.user(tenantId, userId)}">${emailText(email)}</a>`
}

/** With a filter, every event has its line. */
export function folded(
  activity: readonly ListedActivity[],
  { event, user }: OverviewQuery,
): FoldedActivity {
  const isFiltered = event !== undefined || user !== undefined
  return isFiltered ? { rows: activity, unfinished: 0 } : foldStarts(activity)
}

interface EventFilter {
  readonly event?: AuthEventKind
  readonly userId?: number
}

/** Which events the page shows. */
export const filterOf = ({ event, user }: OverviewQuery): EventFilter =>
  defined({ event, userId: user })

/** Events on one page. */
export const SHOWN = 30
