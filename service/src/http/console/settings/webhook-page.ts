import {
  AUTH_EVENT_KINDS,
  type AuthEventKind,
  DEFAULT_WEBHOOK_EVENTS,
  WEBHOOK_SECRET_OVERLAP_HOURS,
  type WebhookError,
} from '@gatehouse/contract'
import { isDelivered, type RecordedAttempt } from '../../../domain/webhooks/delivery.ts'
import type { DisabledReason } from '../../../domain/webhooks/webhook.ts'
import type { DescribedWebhook } from '../../../operations/webhooks/endpoints.ts'
import { commandBlock, heading, hiddenHeading, numberHeading, scrollTable } from '../../pages/elements.ts'
import { boxesField, buttonForm, hiddenFields, textField } from '../../pages/fields.ts'
import { type Html, html } from '../../pages/markup.ts'
import { displayText, formatCount } from '../../pages/text.ts'
import { timestamp, timestampInText } from '../../pages/time.ts'
import { accountPaths } from '../paths.ts'
import { EVENT_WORDS } from '../projects/activity.ts'
import { consolePage, type Frame } from '../projects/project-page.ts'
import { FormState, type RejectedForm } from './form-state.ts'

interface WebhookDetails {
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

const ERRORS: Readonly<Record<WebhookError, string>> = {
  timeout: 'no response in 15 seconds',
  unreachable: 'no connection',
  tls: 'invalid certificate',
}

/** `200 after 41 ms` */
export const resultOf = ({ status, error, ms }: Pick<RecordedAttempt, 'status' | 'error' | 'ms'>): string =>
  `${error === null ? String(status) : ERRORS[error]} after ${ms} ms`

interface Deliveries {
  /** The newest first. */
  readonly deliveries: readonly RecordedAttempt[]
  readonly now: number
  readonly csrf: string
  /** Where a button sends an event again. */
  readonly replayAction: string
}

const deliveriesTable = ({ deliveries, now, csrf, replayAction }: Deliveries): Html =>
  deliveries.length === 0
    ? html`<p class="none">None in the last 7 days.</p>`
    : scrollTable({
        caption: 'Newest first, kept for 7 days',
        label: 'Deliveries',
        head: [
          heading('When'),
          heading('Event'),
          numberHeading('Attempt'),
          heading('Result'),
          hiddenHeading('Actions'),
        ],
        rows: deliveries.map(
          (attempt) => html`<tr>
            <td>${timestamp(attempt.at, now)}</td>
            <td id="delivery-${attempt.id}">${attempt.eventId === null ? 'Test' : `Event ${attempt.eventId}`}</td>
            <td class="number">${attempt.attempt}</td>
            <td>${isDelivered(attempt) ? 'Delivered' : html`<strong>Failed</strong>`}: ${resultOf(attempt)}</td>
            <td class="act">${
              attempt.eventId !== null &&
              buttonForm({
                action: replayAction,
                csrf,
                label: 'Send again',
                fields: { event_ids: attempt.eventId },
                variant: 'small',
                describedBy: `delivery-${attempt.id}`,
              })
            }</td>
          </tr>`,
        ),
      })

/** The fields whose problems the form shows. */
const WEBHOOK_FIELDS = ['url', 'events'] as const

const boxName = (kind: AuthEventKind): string => `event_${kind}`

/** What an owner sets of an endpoint. */
const webhookFields = (
  form: FormState,
  { url, events }: { readonly url: string; readonly events: readonly AuthEventKind[] },
): Html => html`
  ${textField({ ...form.field('url', url), label: 'URL of the endpoint', type: 'url', required: true, placeholder: 'https://app.example.com/webhooks' })}
  ${boxesField({
    legend: 'Events',
    problems: form.problems('events'),
    boxes: AUTH_EVENT_KINDS.map((kind) => ({
      name: boxName(kind),
      label: html`${EVENT_WORDS[kind]} <code class="aside">${kind}</code>`,
      checked: form.isChecked(boxName(kind), events.includes(kind)),
    })),
  })}`

/** The fields of a posted form, with the names of the API. */
export const readWebhookFields = (form: URLSearchParams): { url: string; events: string[] } => ({
  url: (form.get('url') ?? '').trim(),
  events: AUTH_EVENT_KINDS.filter((kind) => form.has(boxName(kind))),
})

const DISABLED: Readonly<Record<DisabledReason, string>> = {
  owner: 'Paused. Events wait until you enable it.',
  gone: 'Disabled: your app answered that the endpoint is gone (410). Enable it when it’s back; no event is lost.',
  failing: 'Disabled: no delivery succeeded for five days. Enable it when it works; no event is lost.',
  secret_unreadable: 'Disabled: its secret can’t be read. Replace the secret.',
}

const webhookState = (reason: DisabledReason | null, failingSince: number | null, now: number): Html => {
  if (reason !== null) return html`${DISABLED[reason]}`
  return failingSince === null
    ? html`Active`
    : html`<strong>Failing</strong> since ${timestampInText(failingSince, now)}`
}

/** Names the secret of an endpoint for the page that shows it once. */
export const secretOf = (tenantId: string, webhookId: string): string => `webhook:${tenantId}:${webhookId}`

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

/** An endpoint as the owner sees it. */
export type ProjectWebhook = Pick<DescribedWebhook, 'id' | 'url' | 'disabledReason' | 'failingSince'>

const webhooksTable = (tenantId: string, webhooks: readonly ProjectWebhook[], now: number): Html =>
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
const withoutQuery = (url: string): string => url.replace(/\?.*$/s, '')
