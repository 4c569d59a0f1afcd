import { WEBHOOK_SECRET_OVERLAP_HOURS } from '@gatehouse/contract'
import type { RecordedAttempt } from '../../../../../domain/webhooks/delivery.ts'
import type { DescribedWebhook } from '../../../../../operations/webhooks/endpoints.ts'
import { buttonForm, hiddenFields } from '../../../../pages/button-form.ts'
import { commandBlock } from '../../../../pages/code.ts'
import { textField } from '../../../../pages/fields.ts'
import { type Html, html } from '../../../../pages/markup.ts'
import { displayText, formatCount } from '../../../../pages/text.ts'
import { accountPaths } from '../../../paths.ts'
import { consolePage, type Frame } from '../../console.ts'
import { FormState, type RejectedForm } from '../form-state.ts'
import { deliveriesTable } from './deliveries-table.ts'
import { WEBHOOK_FIELDS, webhookFields } from './webhook-fields.ts'
import { webhookState } from './webhook-state.ts'
import { withoutQuery } from './webhooks-table.ts'

export interface WebhookDetails {
  readonly webhook: Pick<
    DescribedWebhook,
    'id' | 'url' | 'events' | 'disabledReason' | 'failingSince' | 'waitingRetries' | 'replay'
  >
  /** The newest first. */
  readonly deliveries: readonly RecordedAttempt[]
  /** For a minute after it was made. */
  readonly secret: string | null
  readonly rejected: RejectedForm | null
}

/** Forms without a field: their errors are shown above the buttons. */
const BUTTONS = ['status', 'test', 'rotate', 'delete']

/** `/account/projects/:tenantId/settings/webhooks/:webhookId`. */
export function webhookPage(frame: Frame, { webhook, deliveries, secret, rejected }: WebhookDetails): Html {
  const { csrf, now, project } = frame
  const at = (path: (tenantId: string, id: string) => string): string => path(project.tenantId, webhook.id)
  const replayAction = at(accountPaths.replayWebhook)
  return consolePage(
    frame,
    'settings',
    html`
      <p><a href="${accountPaths.settings(project.tenantId)}#webhooks">All webhooks</a></p>
      <h2 class="name">${displayText(withoutQuery(webhook.url), 200)}</h2>
      ${newSecret(secret)}
      ${BUTTONS.map((id) => new FormState(id, rejected, []).message)}
      <p>${webhookState(webhook.disabledReason, webhook.failingSince, now)} ${waiting(webhook)}</p>
      <div class="buttons">
        ${buttonForm({ action: at(accountPaths.testWebhook), csrf, label: 'Send a test', variant: 'small' })}
        ${buttonForm(
          webhook.disabledReason === null
            ? {
                action: at(accountPaths.switchWebhook),
                csrf,
                label: 'Pause',
                fields: { status: 'disabled' },
                variant: 'small',
              }
            : {
                action: at(accountPaths.switchWebhook),
                csrf,
                label: 'Enable',
                fields: { status: 'active' },
                variant: 'small',
              },
        )}
      </div>
      ${section(
        'Deliveries',
        html`
        ${deliveriesTable({ deliveries, now, csrf, replayAction })}
        ${replayForm(new FormState('replay', rejected, ['after']), csrf, replayAction)}`,
      )}
      ${section('Endpoint', editForm(new FormState('webhook', rejected, WEBHOOK_FIELDS), csrf, at(accountPaths.changeWebhook), webhook))}
      ${section(
        'Signing secret',
        html`
        <p>It signs every delivery. A new one replaces it at once; for ${WEBHOOK_SECRET_OVERLAP_HOURS} hours deliveries are signed with the old one, too.</p>
        ${buttonForm({ action: at(accountPaths.rotateWebhook), csrf, label: 'Replace the secret', variant: 'quiet' })}`,
      )}
      ${section(
        'Delete',
        html`
        <p>This deletes the endpoint, its secret and its log. Deletion can’t be undone.</p>
        <form method="post" action="${at(accountPaths.deleteWebhook)}">${hiddenFields({ csrf })}<button class="danger small">Delete this endpoint</button></form>`,
      )}
    `,
  )
}

const section = (title: string, body: Html): Html =>
  html`<section class="card setting"><h3>${title}</h3>${body}</section>`

const newSecret = (secret: string | null): Html | false =>
  secret !== null &&
  html`<div class="notice caution">
    <p><strong>This secret is shown once.</strong> Give it to your app before you leave this page, for example as <code>WEBHOOK_SECRET</code>. If you lose it, replace it below.</p>
    ${commandBlock('The signing secret', secret)}
  </div>`

const waiting = ({ waitingRetries, replay }: WebhookDetails['webhook']): string =>
  [
    waitingRetries > 0 && `${formatCount(waitingRetries, 'delivery waits', 'deliveries wait')} for a retry.`,
    replay !== null && `Events up to ${replay.until} are being sent again.`,
  ]
    .filter(Boolean)
    .join(' ')

const replayForm = (form: FormState, csrf: string, action: string): Html =>
  html`<details${form.isRejected && html` open`}>
    <summary>Send many events again</summary>
    <form method="post" action="${action}">
      ${hiddenFields({ csrf })}
      ${form.message}
      ${textField({ ...form.field('after', '0'), label: 'Events after this id', hint: '0: all that are kept. New events are sent first.', type: 'number', required: true })}
      <button class="small quiet">Send them again</button>
    </form>
  </details>`

const editForm = (form: FormState, csrf: string, action: string, webhook: WebhookDetails['webhook']): Html =>
  html`<form method="post" action="${action}">
    ${hiddenFields({ csrf })}
    ${form.message}
    ${webhookFields(form, webhook)}
    <button class="small">Save endpoint</button>
  </form>`
