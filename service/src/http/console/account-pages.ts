import { ACTIVE_USER_EVENTS_PER_MONTH, TIER_LIMITS } from '@gatehouse/contract'
import type { OwnerTier } from '../../domain/accounts/account.ts'
import { timesScript } from '../pages/assets.ts'
import { type Usage, usageBars } from '../pages/charts/bars.ts'
import { personRow } from '../pages/elements.ts'
import { buttonForm } from '../pages/fields.ts'
import { layout, script } from '../pages/layout.ts'
import { type Html, html } from '../pages/markup.ts'
import type { Operator } from '../pages/operator.ts'
import { providerForm } from '../pages/provider-button.ts'
import { displayText, formatNumber, HOST_MAX } from '../pages/text.ts'
import { relativeTime, timestampInText } from '../pages/time.ts'
import { signOut, statusNotice } from './layout.ts'
import { accountPaths } from './paths.ts'
import { type ProjectSearch, projectList, usageByProject } from './project-list.ts'
import type { ProjectOverview } from './projects/project-card.ts'

export interface Dashboard {
  readonly operator: Operator
  readonly now: number
  readonly csrf: string
  readonly account: { readonly email: string; readonly name: string | null; readonly tier: OwnerTier }
  /** The total of all projects. */
  readonly usage: readonly Usage[]
  readonly projects: readonly ProjectOverview[]
  readonly search: ProjectSearch
  readonly agents: readonly ConnectedAgent[]
  readonly sessions: readonly AccountSession[]
  /** The result of the last action. */
  readonly statusMessage?: string
}

/** `/account`. */
export const dashboardPage = ({
  now,
  csrf,
  account,
  usage,
  projects,
  search,
  agents,
  sessions,
  statusMessage,
  operator,
}: Dashboard): Html =>
  layout({
    kind: 'reading',
    operator,
    title: 'Your projects',
    head: script(timesScript),
    body: html`
      <h1>Your projects</h1>
      ${statusNotice(statusMessage)}
      <div class="account-head">
        ${personRow(account)}
        <span class="badge">${TIER_NAMES[account.tier]}</span>
        ${signOut(csrf)}
      </div>
      <p class="actions"><a class="button fit" href="${accountPaths.newProject}">New project</a></p>
      ${projects.length === 0 ? firstSteps : projectList(projects, search, now)}
      <h2>Usage</h2>
      <p class="aside">All your projects share these limits. ${fits(account.tier)} <a href="/docs/limits#how-many-people-fit">How it adds up</a></p>
      ${usageBars(usage, now)}
      ${usageByProject(projects)}
      <h2>Connected agents</h2>
      ${connectedAgents(agents, csrf, now)}
      <h2>Your sessions</h2>
      ${accountSessions(sessions, csrf, now)}
    `,
  })

/** Owners compare a number of events with a number of people. */
const fits = (tier: OwnerTier): string => {
  const limit = TIER_LIMITS[tier].eventsPerMonth ?? 0
  const people = Math.floor(limit / ACTIVE_USER_EVENTS_PER_MONTH)
  return `Refreshes count: about ${formatNumber(people)} people who are active all day fit into ${formatNumber(limit)} events a month.`
}

const TIER_NAMES: Readonly<Record<OwnerTier, string>> = { free: 'Free tier', plus: 'Plus tier', pro: 'Pro tier' }

const firstSteps = html`<section class="card">
  <h2>No projects yet</h2>
  <p>Create one above. Or tell your coding agent to add “Sign in with Google” with Gatehouse, as <a href="/">the home page</a> shows: it creates a project without an account.</p>
  <p>Then ask it for the claim link, compare the confirmation codes and press Approve, within 72 hours. The project appears here.</p>
</section>`

interface AccountSignIn {
  readonly operator: Operator
  /** The path that the form is posted to. */
  readonly action: string
  readonly csrf?: string
  /** The path to return to after signing in. */
  readonly next: string
  readonly statusMessage?: string
}

/** `/account` without a session. */
export const accountSignInPage = ({ action, csrf, next, statusMessage, operator }: AccountSignIn): Html =>
  layout({
    kind: 'card',
    operator,
    title: 'Sign in to your account',
    body: html`
      <h1>Your Gatehouse account</h1>
      ${statusNotice(statusMessage)}
      <p>An account is for app owners. With it you can:</p>
      <ul>
        <li>claim a project that your agent created, so that it doesn’t end after three days,</li>
        <li>see who signs in to it, and how often,</li>
        <li>end sessions, replace its keys, or delete it.</li>
      </ul>
      ${providerForm({ action, csrf, fields: { next }, provider: 'google', words: 'signInWith' })}
      <p class="aside">Your first sign-in creates the account. Signing in doesn’t claim any project.</p>
    `,
    footer: html`<p>You don’t need an account to sign in to an app that uses Gatehouse.</p>`,
  })

/** A browser that is signed in to the account. */
interface AccountSession {
  /** Names the session in the form; it is no secret. */
  readonly id: string | number
  /** The session that this page is shown to. */
  readonly current: boolean
  /** null: unknown. */
  readonly device: string | null
  readonly createdAt: number
  readonly lastUsedAt: number
}

const accountSessions = (sessions: readonly AccountSession[], csrf: string, now: number): Html => html`
  <ul class="rows">${sessions.map((session, index) => sessionRow(session, `browser-${index + 1}`, csrf, now))}</ul>
  <p class="small-print">Signing out everywhere ends all of these sessions, including this one. The users of your projects stay signed in.</p>
  ${buttonForm({ action: accountPaths.signOutEverywhere, csrf, label: 'Sign out everywhere', variant: 'quiet' })}`

// The current session has no button: "Sign out" above does the same.
const sessionRow = (
  { id, current, device, createdAt, lastUsedAt }: AccountSession,
  elementId: string,
  csrf: string,
  now: number,
): Html =>
  html`<li class="sessionRow">
    <p id="${elementId}">${device ?? 'Unknown browser'} <span class="address">Last used ${relativeTime(lastUsedAt, now)}, signed in ${timestampInText(createdAt, now)}</span></p>
    ${
      current
        ? html`<span class="badge">This browser</span>`
        : buttonForm({
            action: accountPaths.endSession,
            csrf,
            fields: { session: id },
            label: 'End this session',
            variant: 'small',
            describedBy: elementId,
          })
    }
  </li>`

/** An OAuth client that the account has authorized. */
export interface ConnectedAgent {
  /** The grant's id: it names the agent in the form and is no secret. */
  readonly id: number
  /** Chosen by the client; may be empty. */
  readonly name: string
  /** The host of its client metadata document; null after dynamic registration. */
  readonly describedAt: string | null
  /** Descriptions of the granted scopes. */
  readonly permissions: readonly string[]
  readonly createdAt: number
  readonly lastUsedAt: number
}

const connectedAgents = (agents: readonly ConnectedAgent[], csrf: string, now: number): Html =>
  agents.length === 0
    ? html`<p class="none">No agents connected.</p>`
    : html`<ul class="rows">${agents.map((agent, index) => agentRow(agent, `agent-${index + 1}`, csrf, now))}</ul>`

const agentRow = (
  agent: ConnectedAgent,
  elementId: string,
  csrf: string,
  now: number,
): Html => html`<li class="agentRow">
    <div class="agent">
      <h3 id="${elementId}"><bdi>${clientLabel(agent.name)}</bdi>${
        agent.describedAt !== null && html` <span class="badge">${displayText(agent.describedAt, HOST_MAX)}</span>`
      }</h3>
      <p class="address">Last used ${relativeTime(agent.lastUsedAt, now)}. Allowed ${timestampInText(agent.createdAt, now)}.</p>
      <ul>${agent.permissions.map((words) => html`<li>${words}</li>`)}</ul>
    </div>
    ${buttonForm({
      action: accountPaths.revokeAgent,
      csrf,
      fields: { grant: agent.id },
      label: 'Revoke',
      variant: 'small',
      describedBy: elementId,
    })}
  </li>`

/** The display name of an OAuth client. Clients choose their own name, and it may be empty. */
export const clientLabel = (name: string): string => displayText(name) || 'an unnamed application'
