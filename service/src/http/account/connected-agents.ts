import { buttonForm } from '../pages/button-form.ts'
import { type Html, html } from '../pages/markup.ts'
import { displayText, HOST_MAX } from '../pages/text.ts'
import { relativeTime, timestampInText } from '../pages/time.ts'
import { clientLabel } from './client-label.ts'
import { accountPaths } from './paths.ts'

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

export const connectedAgents = (agents: readonly ConnectedAgent[], csrf: string, now: number): Html =>
  agents.length === 0
    ? html`<p class="none">No agents connected.</p>`
    : html`<ul class="rows">${agents.map((agent, index) => row(agent, `agent-${index + 1}`, csrf, now))}</ul>`

const row = (agent: ConnectedAgent, elementId: string, csrf: string, now: number): Html => html`<li class="row">
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
