import { signInChart } from '../../pages/charts/sign-in-chart.ts'
import { commandBlock } from '../../pages/code.ts'
import { hostList } from '../../pages/host-list.ts'
import { type Html, html } from '../../pages/markup.ts'
import { displayText } from '../../pages/text.ts'
import { timestamp } from '../../pages/time.ts'
import { accountLayout, statusNotice } from '../layout.ts'
import type { Activity } from './activity.ts'
import { type Day, lastDays, totalOf } from './daily.ts'
import { tally } from './project-card.ts'
import { deleteProject, replaceKeys } from './project-settings.ts'
import {
  activityTable,
  type Newest,
  type ProjectPerson,
  type ProjectSession,
  peopleTable,
  sessionTable,
} from './project-tables.ts'

export interface Project {
  readonly now: number
  readonly csrf: string
  readonly tenantId: string
  readonly createdAt: number
  readonly claimedAt: number
  /** null: no callback is registered yet. */
  readonly loginUrl: string | null
  /** In punycode. */
  readonly callbackHosts: readonly string[]
  readonly users: Newest<ProjectPerson>
  readonly sessions: Newest<ProjectSession>
  readonly daily: readonly Day[]
  /** Newest first. */
  readonly activity: readonly Activity[]
  /** What was just done, in a sentence. */
  readonly revocation?: string
  /** The owner asked to delete it and typed something else than its id. */
  readonly wrongConfirmation?: boolean
}

/** `/account/projects/:tenantId`. */
export const projectPage = (project: Project): Html => {
  const { now, csrf, tenantId, callbackHosts, users, sessions, daily, activity, revocation } = project
  return accountLayout({
    title: displayText(tenantId),
    csrf,
    body: html`
      <h1 class="tenant">${displayText(tenantId)}</h1>
      ${hostList(callbackHosts, 'No address yet: your agent registers the callback of your app first.')}
      ${statusNotice(revocation)}
      <dl class="tally">
        ${tally('People', users.total)}
        ${tally('Active sessions', sessions.total)}
        ${tally('Sign-ins, 30 days', totalOf(lastDays(daily, now), 'logins'))}
      </dl>
      <h2>Sign-ins per day</h2>
      ${signInChart(daily, now)}
      <h2>Recent activity</h2>
      ${activityTable(activity, now)}
      <h2>People</h2>
      ${peopleTable(users, now)}
      <h2>Active sessions</h2>
      ${sessionTable(tenantId, sessions, csrf, now)}
      <h2>About this project</h2>
      ${facts(project)}
      <h2>Keys</h2>
      ${replaceKeys(project)}
      <h2>Delete</h2>
      ${deleteProject(project)}
    `,
  })
}

const facts = ({ now, createdAt, claimedAt, loginUrl }: Project): Html => html`<dl class="facts">
    <dt>Made</dt>
    <dd>${timestamp(createdAt, now)}</dd>
    <dt>Yours since</dt>
    <dd>${timestamp(claimedAt, now)}</dd>
    <dt>Login link</dt>
    <dd>${loginUrl === null ? html`<p class="none">None until a callback is registered.</p>` : commandBlock('Login link', loginUrl)}</dd>
  </dl>`
