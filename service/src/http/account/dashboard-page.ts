import type { OwnerTier } from '../../domain/accounts/account.ts'
import { timesScript } from '../pages/assets.ts'
import { type Usage, usageBars } from '../pages/charts/usage-bars.ts'
import { layout, script } from '../pages/layout.ts'
import { type Html, html } from '../pages/markup.ts'
import type { Operator } from '../pages/operator.ts'
import { personRow } from '../pages/person.ts'
import { type ConnectedAgent, connectedAgents } from './connected-agents.ts'
import { signOut, statusNotice } from './layout.ts'
import { accountPaths } from './paths.ts'
import { type ProjectSearch, projectList, usageByProject } from './project-list.ts'
import type { ProjectOverview } from './projects/project-card.ts'
import { type AccountSession, accountSessions } from './sessions-section.ts'

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
      <p class="aside">All your projects share these limits.</p>
      ${usageBars(usage, now)}
      ${usageByProject(projects)}
      <h2>Connected agents</h2>
      ${connectedAgents(agents, csrf, now)}
      <h2>Your sessions</h2>
      ${accountSessions(sessions, csrf, now)}
    `,
  })

const TIER_NAMES: Readonly<Record<OwnerTier, string>> = {
  free: 'Free tier',
  plus: 'Plus tier',
  pro: 'Pro tier',
}

const firstSteps = html`<section class="card">
  <h2>No projects yet</h2>
  <p>Create one above. Or a coding agent creates it, and you claim it.</p>
  <ol class="steps">
    <li>
      <h3>Ask your agent</h3>
      <p>Tell it to add “Sign in with Google” with Gatehouse. It creates a project without an account, as <a href="/">the home page</a> shows.</p>
    </li>
    <li>
      <h3>Ask it for the claim link</h3>
      <p>It gets one from <code>POST /api/claim/url</code> and prints it with a confirmation code. Do this within 72 hours, or the project ends.</p>
    </li>
    <li>
      <h3>Open the link and approve</h3>
      <p>Compare the codes and press Approve. The project then appears here.</p>
    </li>
  </ol>
</section>`
