import * as contract from '@gatehouse-auth/contract'
import { isDelivered, type RecordedAttempt } from '../../../domain/webhooks/delivery.ts'
import { listWebhookDeliveries, replayWebhook } from '../../../operations/webhooks/deliveries.ts'
import {
  changeWebhook,
  type DescribedWebhook,
  deleteWebhook,
  readWebhook,
  rotateWebhookSecret,
  testWebhook,
} from '../../../operations/webhooks/endpoints.ts'
import { keepForDisplay, keptForDisplay } from '../../callers/sessions.ts'
import {
  commandBlock,
  heading,
  hiddenHeading,
  numberHeading,
  scrollTable,
} from '../../pages/elements.ts'
import { type Html, html } from '../../pages/markup.ts'
import { displayText, formatCount } from '../../pages/text.ts'
import { timestamp } from '../../pages/time.ts'
import { consoleForm, formButton, formElement, formState } from '../console-form.ts'
import { consolePage } from '../console-page.ts'
import * as fields from '../fields.ts'
import { numberOf } from '../fields.ts'
import type { Notice } from '../form-state.ts'
import { accountPaths, below } from '../paths.ts'
import type { Frame } from '../projects/project-page.ts'
import { settingsLayout } from './settings-page.ts'
import { secretOf, WEBHOOK_FORM, webhookState, withoutQuery } from './webhooks.ts'

const changeForm = consoleForm({
  path: below(accountPaths.webhook, 'change'),
  id: 'webhook',
  button: 'Save endpoint',
  done: {
    saved: 'Endpoint saved.',
  },
  ...WEBHOOK_FORM,
  body: contract.changeWebhook.body,
  run({ ctx, item, tenant, author }, { url, events }) {
    const change = { url, events: events?.map(contract.webhookKind), active: undefined }
    return changeWebhook(ctx, tenant, item, change, author)
  },
})

const statusForm = consoleForm({
  path: below(accountPaths.webhook, 'status'),
  button: 'Pause',
  done: {
    active: 'Endpoint enabled. Waiting events are being sent.',
    disabled: 'Endpoint paused. Events wait until you enable it.',
  },
  fields: {},
  body: contract.changeWebhook.body,
  read: (_, form) => ({ status: form.get('status') }),
  async run({ ctx, item, tenant, author }, { status }) {
    const change = { url: undefined, events: undefined, active: status === 'active' }
    await changeWebhook(ctx, tenant, item, change, author)
    return status ?? ''
  },
  outcome: (status) => status,
})

/** The page shows the result instead of the message, if the log of deliveries has it. */
const testForm = consoleForm({
  path: below(accountPaths.webhook, 'test'),
  button: 'Send a test',
  done: {
    tested: 'Test sent.',
  },
  fields: {},
  run: ({ ctx, item, tenant }) => testWebhook(ctx, tenant, item),
})

const rotateForm = consoleForm({
  path: below(accountPaths.webhook, 'rotate'),
  button: 'Replace the secret',
  done: {
    rotated: 'Secret replaced.',
  },
  fields: {},
  async run({ ctx, c, owner, item, tenant, author }) {
    const { secret } = await rotateWebhookSecret(ctx, tenant, item, author)
    keepForDisplay(ctx, c, owner, secretOf(tenant.id, item), secret)
  },
})

const replayForm = consoleForm({
  path: below(accountPaths.webhook, 'replay'),
  button: 'Send again',
  done: {
    replayed: 'The events are being sent again.',
  },
  fields: {
    after: fields.number({
      label: 'Events after this id',
      hint: '0: all that are kept. New events are sent first.',
      required: true,
    }),
  },
  body: contract.replayWebhook.body,
  read(entered, form) {
    const one = form.get('event_ids')
    return one === null ? entered : { event_ids: [numberOf(one)] }
  },
  run: ({ ctx, item, tenant, author }, { after = 0, until, event_ids: eventIds }) =>
    replayWebhook(
      ctx,
      tenant,
      item,
      eventIds === undefined ? { after, until } : { eventIds },
      author,
    ),
})

const deleteForm = consoleForm({
  path: below(accountPaths.webhook, 'delete'),
  button: 'Delete this endpoint',
  fields: {},
  run: ({ ctx, item, tenant, author }) => deleteWebhook(ctx, tenant, item, author),
  outcome: (_, { c, tenant }) =>
    c.redirect(`${accountPaths.webhooks(tenant.id)}?done=webhook-deleted`, 303),
})

/** Newest deliveries on the page. */
const SHOWN = 25

/** The page of an endpoint. */
export const webhookRoute = consolePage({
  path: accountPaths.webhook,
  tab: 'settings',
  forms: [changeForm, statusForm, testForm, rotateForm, replayForm, deleteForm],
  notices: { added: { message: 'Endpoint added. It gets the events from now on.' } },
  async load({ ctx, c, owner, item, tenant }) {
    const webhook = await readWebhook(ctx, tenant, item)
    const log = await listWebhookDeliveries(ctx, tenant, webhook.id, {
      after: 0,
      limit: contract.WEBHOOK_DELIVERIES_KEPT,
    })
    const deliveries = log.deliveries.reverse().slice(0, SHOWN)
    const secret = keptForDisplay(ctx, c, owner, secretOf(tenant.id, webhook.id))
    return { webhook, deliveries, secret }
  },
  notice: ({ deliveries }, { c }) =>
    c.req.query('done') === 'tested' ? testResult(deliveries) : undefined,
  view: webhookPage,
})

function testResult(deliveries: readonly RecordedAttempt[]): Notice | undefined {
  const test = deliveries.find(({ type }) => type === 'webhook.test')
  if (test === undefined) {
    return undefined
  }
  const outcome = isDelivered(test) ? 'The test was delivered' : 'The test failed'
  return { message: `${outcome}: ${resultOf(test)}.` }
}

interface WebhookDetails {
  readonly webhook: Pick<
    DescribedWebhook,
    'id' | 'url' | 'events' | 'disabledReason' | 'failingSince' | 'waitingRetries' | 'replay'
  >
  /** The newest first. */
  readonly deliveries: readonly RecordedAttempt[]
  /** For a minute after it was made. */
  readonly secret: string | null
}

/** Forms without a field: their errors are shown above the buttons. */
const BUTTONS = [statusForm, testForm, rotateForm, deleteForm]

/** `/account/projects/:tenantId/settings/webhooks/:webhookId`. */
function webhookPage(frame: Frame, { webhook, deliveries, secret }: WebhookDetails): Html {
  const { now, project } = frame
  const { id: item, url, events, disabledReason, failingSince } = webhook

  const body = html`
      <p><a href="${accountPaths.webhooks(project.tenantId)}">All webhooks</a></p>
      <h2 class="name">${displayText(withoutQuery(url), 200)}</h2>
      ${newSecret(secret)}
      ${BUTTONS.map((form) => formState(form, frame).message)}
      <p>${webhookState(disabledReason, failingSince, now)} ${waiting(webhook)}</p>
      <div class="buttons">
        ${formButton(testForm, frame, { item })}
        ${statusButton(frame, webhook)}
      </div>
      ${section('Deliveries', html`${deliveriesTable(frame, deliveries, item)}${replayMany(frame, item)}`)}
      ${section('Endpoint', formElement(changeForm, frame, { values: { url, events }, item }))}
      ${section('Signing secret', secretSection(frame, item))}
      ${section('Delete', deleteSection(frame, item))}
    `
  return settingsLayout(frame, 'webhooks', body)
}

function statusButton(frame: Frame, { id, disabledReason }: WebhookDetails['webhook']): Html {
  if (disabledReason === null) {
    return formButton(statusForm, frame, { item: id, fields: { status: 'disabled' } })
  }
  return formButton(statusForm, frame, {
    item: id,
    label: 'Enable',
    fields: { status: 'active' },
  })
}

const secretSection = (frame: Frame, item: string): Html => html`
        <p>It signs every delivery. If someone else may have seen it, replace it. For ${contract.WEBHOOK_SECRET_OVERLAP_HOURS} hours, deliveries are also signed with the old one, so your app can switch.</p>
        ${formButton(rotateForm, frame, { item, variant: 'quiet' })}`

const deleteSection = (frame: Frame, item: string): Html => html`
        <p>This deletes the endpoint, its secret and its log. Deletion can’t be undone.</p>
        ${formElement(deleteForm, frame, { item, button: { variant: 'danger small' } })}`

const section = (title: string, body: Html): Html =>
  html`<section class="card setting"><h3>${title}</h3>${body}</section>`

const newSecret = (secret: string | null): Html | false =>
  secret !== null &&
  html`<div class="notice caution">
    <p><strong>This secret is shown once.</strong> Give it to your app before you leave this page, for example as <code>WEBHOOK_SECRET</code>. If you lose it, replace it below.</p>
    ${commandBlock('The signing secret', secret)}
  </div>`

function waiting({ waitingRetries, replay }: WebhookDetails['webhook']): string {
  const sentences: string[] = []
  if (waitingRetries > 0) {
    const deliveries = formatCount(waitingRetries, 'delivery waits', 'deliveries wait')
    sentences.push(`${deliveries} for a retry.`)
  }
  if (replay !== null) {
    sentences.push(`Events up to ${replay.until} are being sent again.`)
  }
  return sentences.join(' ')
}

const replayMany = (frame: Frame, item: string): Html =>
  html`<details${formState(replayForm, frame).isRejected && html` open`}>
    <summary>Send many events again</summary>
    ${formElement(replayForm, frame, { values: { after: 0 }, item, button: { label: 'Send them again', variant: 'small quiet' } })}
  </details>`

const ERRORS: Readonly<Record<contract.WebhookError, string>> = {
  timeout: 'no response in 15 seconds',
  unreachable: 'no connection',
  tls: 'invalid certificate',
}

/** `200 after 41 ms` */
function resultOf({ status, error, ms }: RecordedAttempt): string {
  const result = error === null ? String(status) : ERRORS[error]
  return `${result} after ${ms} ms`
}

function subjectOf({ eventId, type }: RecordedAttempt): string | Html {
  if (eventId !== null) {
    return `Event ${eventId}`
  }
  return type === 'webhook.test' ? 'Test' : html`<code>${type}</code>`
}

const deliveriesTable = (
  frame: Frame,
  deliveries: readonly RecordedAttempt[],
  item: string,
): Html =>
  scrollTable({
    none: 'None in the last 7 days.',
    caption: 'Newest first, kept for 7 days',
    label: 'Deliveries',
    head: [
      heading('When'),
      heading('Event'),
      numberHeading('Attempt'),
      heading('Result'),
      hiddenHeading('Actions'),
    ],
    rows: deliveries.map((attempt) => deliveryRow(frame, attempt, item)),
  })

function deliveryRow(frame: Frame, attempt: RecordedAttempt, item: string): Html {
  const { id, eventId, at } = attempt
  const outcome = isDelivered(attempt) ? 'Delivered' : html`<strong>Failed</strong>`
  const sendAgain =
    eventId !== null &&
    formButton(replayForm, frame, {
      item,
      fields: { event_ids: eventId },
      describedBy: `delivery-${id}`,
    })

  return html`<tr>
            <td>${timestamp(at, frame.now)}</td>
            <td id="delivery-${id}">${subjectOf(attempt)}</td>
            <td class="number">${attempt.attempt}</td>
            <td>${outcome}: ${resultOf(attempt)}</td>
            <td class="act">${sendAgain}</td>
          </tr>`
}
