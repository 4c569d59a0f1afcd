import { DEFAULT_WEBHOOK_EVENTS } from '@gatehouse/contract'
import { hiddenFields } from '../../../../pages/button-form.ts'
import { type Html, html } from '../../../../pages/markup.ts'
import { accountPaths } from '../../../paths.ts'
import type { Frame } from '../../console.ts'
import { FormState, type RejectedForm } from '../form-state.ts'
import { WEBHOOK_FIELDS, webhookFields } from './webhook-fields.ts'
import { type ProjectWebhook, webhooksTable } from './webhooks-table.ts'

/** The endpoints, and a form to add one. */
export function webhooksSection(
  { csrf, now, project: { tenantId } }: Frame,
  webhooks: readonly ProjectWebhook[],
  rejected: RejectedForm | null,
): Html {
  const form = new FormState('webhook', rejected, WEBHOOK_FIELDS)
  return html`
    <p>Your app gets each event as a signed POST, in order, with retries. <a href="/docs/webhooks">How to verify one</a></p>
    ${webhooksTable(tenantId, webhooks, now)}
    <details${(form.isRejected || webhooks.length === 0) && html` open`}>
      <summary>Add an endpoint</summary>
      <form method="post" action="${accountPaths.addWebhook(tenantId)}">
        ${hiddenFields({ csrf })}
        ${form.message}
        ${webhookFields(form, { url: '', events: DEFAULT_WEBHOOK_EVENTS })}
        <button class="small">Add endpoint</button>
      </form>
    </details>`
}
