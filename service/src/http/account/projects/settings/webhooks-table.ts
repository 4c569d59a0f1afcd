import type { WEBHOOK_DISABLED_REASONS } from '@gatehouse/contract'
import { type Html, html } from '../../../pages/markup.ts'
import { heading, scrollTable } from '../../../pages/scroll-table.ts'
import { displayText } from '../../../pages/text.ts'
import { timestamp } from '../../../pages/time.ts'

/** An endpoint as the owner sees it. */
export interface ProjectWebhook {
  readonly url: string
  readonly disabledReason: (typeof WEBHOOK_DISABLED_REASONS)[number] | null
  readonly failingSince: number | null
}

const DISABLED: Readonly<Record<NonNullable<ProjectWebhook['disabledReason']>, string>> = {
  owner: 'Disabled.',
  gone: 'Disabled: your app answered that the endpoint is gone (410). Your agent can enable it again.',
  failing: 'Disabled: no delivery succeeded for five days. Your agent can enable it again; no event is lost.',
  secret_unreadable: 'Disabled: its secret can’t be read. Your agent needs to replace the secret.',
}

export const webhooksTable = (webhooks: readonly ProjectWebhook[], now: number): Html =>
  webhooks.length === 0
    ? html`<p class="none">None. Your agent can add an endpoint of your app that gets every sign-in.</p>`
    : scrollTable({
        caption: 'Endpoints of your app that get events',
        label: 'Webhooks',
        head: ['Endpoint', 'State'].map(heading),
        rows: webhooks.map(
          ({ url, disabledReason, failingSince }) => html`<tr>
            <td><code>${displayText(withoutQuery(url))}</code></td>
            <td>${stateOf(disabledReason, failingSince, now)}</td>
          </tr>`,
        ),
      })

const stateOf = (reason: ProjectWebhook['disabledReason'], failingSince: number | null, now: number): Html => {
  if (reason !== null) return html`${DISABLED[reason]}`
  return failingSince === null ? html`Active` : html`Failing since ${timestamp(failingSince, now)}`
}

/** A query may carry a token of the receiver. */
const withoutQuery = (url: string): string => url.replace(/\?.*$/s, '')
