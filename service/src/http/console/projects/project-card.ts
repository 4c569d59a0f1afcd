import type { Logo } from '../../../domain/brand/brand.ts'
import type { Daily } from '../../../domain/events/daily.ts'
import type { Tenant } from '../../../domain/tenants/tenant.ts'
import type { ProjectInsights } from '../../../operations/events/insights.ts'
import { logoPath } from '../../logo.ts'
import { dayBar } from '../../pages/charts/bars.ts'
import { lastDays, SIGN_INS, totalOf } from '../../pages/charts/chart-kinds.ts'
import { summary } from '../../pages/charts/event-chart.ts'
import { type Html, html } from '../../pages/markup.ts'
import { displayText, formatNumber, HOST_MAX, initials } from '../../pages/text.ts'
import { relativeTime } from '../../pages/time.ts'
import { accountPaths } from '../paths.ts'
import { type Activity, EVENT_WORDS } from './activity.ts'

/** What the dashboard shows of a project. */
export interface ProjectOverview
  extends Pick<
    ProjectInsights,
    'name' | 'logo' | 'callbackHosts' | 'activeSessions' | 'daily' | 'eventsThisMonth'
  > {
  readonly tenant: Pick<Tenant, 'id' | 'suspension' | 'createdAt' | 'claimedAt'>
  readonly users: { readonly total: number }
  /** Newest first. */
  readonly activity: readonly Activity[]
}

export const claimedAt = ({ tenant }: ProjectOverview): number =>
  tenant.claimedAt ?? tenant.createdAt

const HEIGHT = 44

/** A project on the dashboard. */
export function projectCard(project: ProjectOverview, now: number): Html {
  const { id } = project.tenant
  const days = lastDays(project.daily, now)
  return html`<li class="card project">
    <div class="project-head">
      ${projectMark({ ...project, tenantId: id })}
      <div>
        <h2 class="name"><a href="${accountPaths.project(id)}">${displayText(project.name)}</a></h2>
        ${hostText(project) && html`<p class="address">${hostText(project)}</p>`}
      </div>
    </div>
    <p class="status-line">${statusBadge(project)} ${project.name !== id && html`<code class="tenant">${displayText(id)}</code>`}</p>
    <dl class="tally">
      ${tally('Users', project.users.total)}
      ${tally('Active sessions', project.activeSessions)}
      ${tally('Sign-ins (30 days)', totalOf(days, 'logins'))}
    </dl>
    ${sparkline(days)}
    <p class="small-print">${lastActivity(project, now)} Claimed ${relativeTime(claimedAt(project), now)}.</p>
  </li>`
}

const statusBadge = ({ tenant, callbackHosts }: ProjectOverview): Html => {
  if (tenant.suspension !== null) {
    return html`<span class="badge warn">Suspended</span>`
  }
  if (callbackHosts.length === 0) {
    return html`<span class="badge warn">Needs a callback URL</span>`
  }
  return html`<span class="badge ok">Active</span>`
}

/** The first host, unless the project is called by it; the others are on the project's page. */
const hostText = ({ name, callbackHosts: [first, ...others] }: ProjectOverview): string => {
  if (first === undefined) {
    return 'No callback hosts yet'
  }
  const more =
    others.length > 0 ? `${others.length} more ${others.length === 1 ? 'host' : 'hosts'}` : ''
  if (name === first) {
    return more === '' ? '' : `and ${more}`
  }
  return displayText(first, HOST_MAX) + (more === '' ? '' : ` and ${more}`)
}

export const tally = (label: string, count: number): Html =>
  html`<div><dt>${label}</dt><dd>${formatNumber(count)}</dd></div>`

/** The sign-in chart without a scale. */
function sparkline(days: readonly Daily[]): Html | false {
  const ceiling = Math.max(...days.map(({ logins, failures }) => logins + failures))
  if (ceiling === 0) {
    return false
  }
  const frame = { top: 0, height: HEIGHT, ceiling }
  const failed = totalOf(days, 'failures')
  return html`<div class="spark">
    <svg class="bars" role="img" aria-label="${summary(days)}" width="100%" height="${HEIGHT + 1}">
      ${days.map((day, index) => dayBar(day, SIGN_INS, index, days.length, frame))}
      <line x1="0" x2="100%" y1="${HEIGHT + 0.5}" y2="${HEIGHT + 0.5}"/>
    </svg>
    ${failed > 0 && html`<p class="small-print"><span class="key failed">${formatNumber(failed)} failed</span></p>`}
  </div>`
}

const lastActivity = ({ activity: [last] }: ProjectOverview, now: number): string =>
  last === undefined
    ? 'No activity yet.'
    : `Last activity: ${EVENT_WORDS[last.event]} ${relativeTime(last.createdAt, now)}.`

interface MarkedProject {
  readonly tenantId: string
  readonly name: string
  readonly logo: Logo | null
}

/** One of these, by the tenant's id: two projects side by side can be told apart. */
const COLORS = ['gray', 'blue', 'indigo', 'purple', 'pink', 'red', 'orange', 'green'] as const

/** The logo of the app, or the first letter of its name. */
export const projectMark = ({ tenantId, name, logo }: MarkedProject): Html =>
  logo === null
    ? html`<span class="monogram accent-${colorOf(tenantId)}" aria-hidden="true">${initials(displayText(name).replaceAll(/[^\p{L}\p{N}]+/gu, ' ')).slice(0, 1) || '?'}</span>`
    : html`<span class="logo" aria-hidden="true"><img src="${logoPath(tenantId, logo)}" alt="" width="48" height="48"></span>`

function colorOf(tenantId: string): (typeof COLORS)[number] {
  const sum = [...tenantId].reduce((total, character) => total + (character.codePointAt(0) ?? 0), 0)
  return COLORS[sum % COLORS.length] ?? 'gray'
}
