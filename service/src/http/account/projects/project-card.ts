import { dayBar } from '../../pages/charts/daily-bars.ts'
import { summary } from '../../pages/charts/sign-in-chart.ts'
import { type Html, html } from '../../pages/markup.ts'
import { displayText, formatNumber } from '../../pages/text.ts'
import { relativeTime } from '../../pages/time.ts'
import { hostList } from '../host-list.ts'
import { accountPaths } from '../paths.ts'
import { type Activity, EVENT_WORDS } from './activity.ts'
import { type Day, lastDays, totalOf } from './daily.ts'

export interface ProjectOverview {
  readonly tenantId: string
  readonly createdAt: number
  readonly claimedAt: number
  readonly usersTotal: number
  readonly activeSessions: number
  /** null: no callback is registered yet. */
  readonly loginUrl?: string | null
  readonly callbackHosts: readonly string[]
  readonly daily: readonly Day[]
  readonly lastActivity: Activity | null
}

const HEIGHT = 44

/** A project on the dashboard. */
export function projectCard(project: ProjectOverview, now: number): Html {
  const days = lastDays(project.daily, now)
  return html`<li class="card project">
    <h2 class="name"><a href="${accountPaths.project(project.tenantId)}">${displayText(project.tenantId)}</a></h2>
    ${hostList(project.callbackHosts, 'No callback hosts yet. Your agent needs to register your app’s callback URL.')}
    <dl class="tally">
      ${tally('Users', project.usersTotal)}
      ${tally('Active sessions', project.activeSessions)}
      ${tally('Sign-ins (30 days)', totalOf(days, 'logins'))}
    </dl>
    ${sparkline(days)}
    <p class="small-print">${lastActivity(project.lastActivity, now)} Claimed ${relativeTime(project.claimedAt, now)}.</p>
  </li>`
}

export const tally = (label: string, count: number): Html =>
  html`<div><dt>${label}</dt><dd>${formatNumber(count)}</dd></div>`

/** The sign-in chart without a scale. */
function sparkline(days: readonly Day[]): Html | false {
  const ceiling = Math.max(...days.map(({ logins, failures }) => logins + failures))
  if (ceiling === 0) return false
  const frame = { top: 0, height: HEIGHT, ceiling }
  const failed = totalOf(days, 'failures')
  return html`<div class="spark">
    <svg class="bars" role="img" aria-label="${summary(days)}" width="100%" height="${HEIGHT + 1}">
      ${days.map((day, index) => dayBar(day, index, days.length, frame))}
      <line x1="0" x2="100%" y1="${HEIGHT + 0.5}" y2="${HEIGHT + 0.5}"/>
    </svg>
    ${failed > 0 && html`<p class="small-print"><span class="key failed">${formatNumber(failed)} failed</span></p>`}
  </div>`
}

const lastActivity = (activity: Activity | null, now: number): string =>
  activity === null
    ? 'No activity yet.'
    : `Last activity: ${EVENT_WORDS[activity.event]} ${relativeTime(activity.createdAt, now)}.`
