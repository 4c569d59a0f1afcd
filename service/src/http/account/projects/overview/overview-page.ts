import { signInChart } from '../../../pages/charts/sign-in-chart.ts'
import { commandBlock } from '../../../pages/code.ts'
import { type Html, html } from '../../../pages/markup.ts'
import { timestamp } from '../../../pages/time.ts'
import type { Activity } from '../activity.ts'
import { consolePage, type Frame } from '../console.ts'
import { type Day, lastDays, totalOf } from '../daily.ts'
import { tally } from '../project-card.ts'
import { activityTable } from './activity-table.ts'
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
  /** Newest first. */
  readonly activity: readonly Activity[]
  /** Newest first. */
  readonly refusals: readonly RefusedSignIn[]
  /** Newest first. */
  readonly changes: readonly Change[]
}

/** `/account/projects/:tenantId`. */
export const overviewPage = (frame: Frame, overview: Overview): Html => {
  const { now } = frame
  const { users, sessions, daily, activity, refusals, changes } = overview
  return consolePage(
    frame,
    'overview',
    html`
      <dl class="tally">
        ${tally('Users', users)}
        ${tally('Active sessions', sessions)}
        ${tally('Sign-ins (30 days)', totalOf(lastDays(daily, now), 'logins'))}
      </dl>
      <h2>Sign-ins per day</h2>
      ${signInChart(daily, now)}
      <h2>Recent activity</h2>
      ${activityTable(activity, now)}
      <h2>Refused sign-ins</h2>
      ${refusalsTable(refusals, now)}
      <h2>Changes</h2>
      ${changesTable(changes, now)}
      <h2>About this project</h2>
      ${facts(overview, now)}
    `,
  )
}

const facts = ({ createdAt, claimedAt, loginUrl }: Overview, now: number): Html => html`<dl class="facts">
    <dt>Created</dt>
    <dd>${timestamp(createdAt, now)}</dd>
    <dt>Claimed</dt>
    <dd>${timestamp(claimedAt, now)}</dd>
    <dt>Login link</dt>
    <dd>${loginUrl === null ? html`<p class="none">Available after a callback URL is registered.</p>` : commandBlock('Login link', loginUrl)}</dd>
  </dl>`
