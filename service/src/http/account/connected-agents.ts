import { buttonForm } from '../pages/button-form.ts'
import { type Html, html } from '../pages/markup.ts'
import { displayText } from '../pages/text.ts'
import { relativeTime, timestampInText } from '../pages/time.ts'
import { clientLabel } from './client-label.ts'
import { accountPaths } from './paths.ts'

/** A program that may act for the account. */
export interface ConnectedAgent {
  /** Names it in the form; opens nothing. */
  readonly id: number
  /** Its own word; may be empty. */
  readonly name: string
  /** The host whose site describes it; null for one that registered itself. */
  readonly describedAt: string | null
  /** What it may do, in words. */
  readonly may: readonly string[]
  readonly createdAt: number
  readonly lastUsedAt: number
}

export const connectedAgents = (agents: readonly ConnectedAgent[], csrf: string, now: number): Html =>
  agents.length === 0
    ? html`<p class="none">No agent may act for you. One that wants to sends you to a page of ours, and you decide there.</p>`
    : html`<ul class="rows">${agents.map((agent, index) => row(agent, `agent-${index + 1}`, csrf, now))}</ul>`

const row = (agent: ConnectedAgent, place: string, csrf: string, now: number): Html => html`<li class="row">
    <div class="agent">
      <h3 id="${place}"><bdi>${clientLabel(agent.name)}</bdi>${
        agent.describedAt !== null && html` <span class="badge">${displayText(agent.describedAt, 300)}</span>`
      }</h3>
      <p class="address">Used ${relativeTime(agent.lastUsedAt, now)}. Allowed ${timestampInText(agent.createdAt, now)}.</p>
      <ul>${agent.may.map((words) => html`<li>${words}</li>`)}</ul>
    </div>
    ${buttonForm({
      action: accountPaths.revokeAgent,
      csrf,
      fields: { grant: agent.id },
      label: 'Revoke',
      variant: 'small',
      describedBy: place,
    })}
  </li>`
