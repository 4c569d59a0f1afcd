import { signInChart } from '../../pages/charts/sign-in-chart.ts'
import { commandBlock } from '../../pages/code.ts'
import { type Html, html } from '../../pages/markup.ts'
import type { Operator } from '../../pages/operator.ts'
import { displayText } from '../../pages/text.ts'
import { timestamp } from '../../pages/time.ts'
import { hostList } from '../host-list.ts'
import { accountLayout, statusNotice } from '../layout.ts'
import type { Activity } from './activity.ts'
import { type Change, changesTable } from './changes-table.ts'
import { type Day, lastDays, totalOf } from './daily.ts'
import { tally } from './project-card.ts'
import { deleteProject, replaceKeys } from './project-settings.ts'
import {
  activityTable,
  type Newest,
  type ProjectSession,
  type ProjectUser,
  sessionTable,
  userTable,
} from './project-tables.ts'
import { type ProjectProviders, providersSection } from './providers-section.ts'
import { type RefusedSignIn, refusalsTable } from './refusals-table.ts'
import { type ProjectRemovals, removalsTable } from './removals-table.ts'
import { type ProjectWebhook, webhooksTable } from './webhooks-table.ts'

export interface Project {
  readonly operator: Operator
  readonly now: number
  readonly csrf: string
  readonly tenantId: string
  readonly createdAt: number
  readonly claimedAt: number
  /** null: no callback is registered yet. */
  readonly loginUrl: string | null
  /** In punycode. */
  readonly callbackHosts: readonly string[]
  readonly users: Newest<ProjectUser>
  readonly sessions: Newest<ProjectSession>
  readonly daily: readonly Day[]
  /** Newest first. */
  readonly activity: readonly Activity[]
  /** Newest first. */
  readonly refusals: readonly RefusedSignIn[]
  readonly webhooks: readonly ProjectWebhook[]
  readonly removals: ProjectRemovals
  readonly providers: ProjectProviders['providers']
  readonly availableProviders: ProjectProviders['available']
  /** Newest first. */
  readonly changes: readonly Change[]
  readonly keyGeneration: number
  /** The result of the last action. */
  readonly statusMessage?: string
  /** The owner asked to delete the project but typed another id. */
  readonly wrongConfirmation?: boolean
}

/** `/account/projects/:tenantId`. */
export const projectPage = (project: Project): Html => {
  const { now, csrf, tenantId, callbackHosts, users, sessions, daily, activity, refusals, changes, statusMessage } =
    project
  return accountLayout({
    operator: project.operator,
    title: displayText(tenantId),
    csrf,
    body: html`
      <h1 class="tenant">${displayText(tenantId)}</h1>
      ${hostList(callbackHosts, 'No callback hosts yet. Your agent needs to register your app’s callback URL.')}
      ${statusNotice(statusMessage)}
      <dl class="tally">
        ${tally('Users', users.total)}
        ${tally('Active sessions', sessions.total)}
        ${tally('Sign-ins (30 days)', totalOf(lastDays(daily, now), 'logins'))}
      </dl>
      <h2>Sign-ins per day</h2>
      ${signInChart(daily, now)}
      <h2>Recent activity</h2>
      ${activityTable(activity, now)}
      <h2>Refused sign-ins</h2>
      ${refusalsTable(refusals, now)}
      <h2>Sign-in providers</h2>
      ${providersSection({ csrf, tenantId, now, providers: project.providers, available: project.availableProviders })}
      <h2>Webhooks</h2>
      ${webhooksTable(project.webhooks, now)}
      <h2>Users</h2>
      ${userTable(users, now)}
      <h2>Removal requests</h2>
      ${removalsTable(project.removals, now)}
      <h2>Active sessions</h2>
      ${sessionTable(tenantId, sessions, csrf, now)}
      <h2>Changes</h2>
      ${changesTable(changes, now)}
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
    <dt>Created</dt>
    <dd>${timestamp(createdAt, now)}</dd>
    <dt>Claimed</dt>
    <dd>${timestamp(claimedAt, now)}</dd>
    <dt>Login link</dt>
    <dd>${loginUrl === null ? html`<p class="none">Available after a callback URL is registered.</p>` : commandBlock('Login link', loginUrl)}</dd>
  </dl>`
