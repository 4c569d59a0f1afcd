import type { DescribedWebhook } from '../../../../../operations/webhooks/endpoints.ts'
import { type Html, html } from '../../../../pages/markup.ts'
import { heading, scrollTable } from '../../../../pages/scroll-table.ts'
import { displayText } from '../../../../pages/text.ts'
import { accountPaths } from '../../../paths.ts'
import { webhookState } from './webhook-state.ts'

/** An endpoint as the owner sees it. */
export type ProjectWebhook = Pick<DescribedWebhook, 'id' | 'url' | 'disabledReason' | 'failingSince'>

export const webhooksTable = (tenantId: string, webhooks: readonly ProjectWebhook[], now: number): Html =>
  webhooks.length === 0
    ? html`<p class="none">None yet.</p>`
    : scrollTable({
        caption: 'Endpoints of your app that get events',
        label: 'Webhooks',
        head: ['Endpoint', 'State'].map(heading),
        rows: webhooks.map(
          ({ id, url, disabledReason, failingSince }) => html`<tr>
            <td><a href="${accountPaths.webhook(tenantId, id)}">${displayText(withoutQuery(url))}</a></td>
            <td>${webhookState(disabledReason, failingSince, now)}</td>
          </tr>`,
        ),
      })

/** A query may carry a token of the receiver. */
export const withoutQuery = (url: string): string => url.replace(/\?.*$/s, '')
