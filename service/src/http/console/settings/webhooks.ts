import {
  createWebhook as createWebhookEndpoint,
  DEFAULT_WEBHOOK_KINDS,
  type UserMessageKind,
  WEBHOOK_KINDS,
  type WebhookKind,
  webhookKind,
  webhookType,
} from '@gatehouse/contract'
import type { DisabledReason } from '../../../domain/webhooks/webhook.ts'
import { createWebhook, type DescribedWebhook } from '../../../operations/webhooks/endpoints.ts'
import { keepForDisplay } from '../../callers/sessions.ts'
import { heading, scrollTable } from '../../pages/elements.ts'
import { boxesField, textField } from '../../pages/fields.ts'
import { type Html, html } from '../../pages/markup.ts'
import { displayText } from '../../pages/text.ts'
import { timestampInText } from '../../pages/time.ts'
import { consoleForm, formElement, formState } from '../console-page.ts'
import type { FormState, RejectedForm } from '../form-state.ts'
import { accountPaths, withQuery } from '../paths.ts'
import { EVENT_WORDS } from '../projects/activity.ts'
import type { Frame } from '../projects/project-page.ts'

/** Of the forms that add and change an endpoint. */
export const WEBHOOK_FORM = {
  id: 'webhook',
  fields: ['url', 'events'],
  errorFields: { webhookUrlRefused: 'url' },
  /** The fields have the names of the API. */
  read: (form: URLSearchParams) => ({
    url: (form.get('url') ?? '').trim(),
    events: WEBHOOK_KINDS.filter((kind) => form.has(boxName(kind))).map(webhookType),
  }),
} as const

const boxName = (kind: WebhookKind): string => `event_${kind}`

export const addWebhookForm = consoleForm({
  ...WEBHOOK_FORM,
  path: accountPaths.addWebhook,
  button: 'Add endpoint',
  body: createWebhookEndpoint.body,
  async run({ ctx, c, owner, tenant, author }, { url, events }) {
    const request = { url, events: events?.map(webhookKind), idempotencyKey: null }
    const { webhook, secret } = await createWebhook(ctx, tenant, request, author)
    keepForDisplay(ctx, c, owner, secretOf(tenant.id, webhook.id), secret)
    return webhook.id
  },
  outcome: (id, { c, tenant }) => c.redirect(withQuery(accountPaths.webhook(tenant.id, id), { done: 'added' }), 303),
})

/** Names the secret of an endpoint for the page that shows it once. */
export const secretOf = (tenantId: string, webhookId: string): string => `webhook:${tenantId}:${webhookId}`

/** The endpoints, and a form to add one. */
export function webhooksSection(
  frame: Frame,
  webhooks: readonly ProjectWebhook[],
  rejected: RejectedForm | null,
): Html {
  const form = formState(addWebhookForm, rejected)
  return html`
    <p>Your app gets each event as a signed POST, in order, with retries. <a href="/docs/webhooks">How to verify one</a></p>
    ${webhooksTable(frame.project.tenantId, webhooks, frame.now)}
    <details${(form.isRejected || webhooks.length === 0) && html` open`}>
      <summary>Add an endpoint</summary>
      ${formElement(addWebhookForm, frame, form, webhookFields(form, { url: '', events: DEFAULT_WEBHOOK_KINDS }))}
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
export const withoutQuery = (url: string): string => url.replace(/\?.*$/s, '')

/** What an owner sets of an endpoint. */
export const webhookFields = (
  form: FormState,
  { url, events }: { readonly url: string; readonly events: readonly WebhookKind[] },
): Html => html`
  ${textField({ ...form.field('url', url), label: 'URL of the endpoint', type: 'url', required: true, placeholder: 'https://app.example.com/webhooks' })}
  ${boxesField({
    legend: 'Events',
    problems: form.problems('events'),
    boxes: WEBHOOK_KINDS.map((kind) => ({
      name: boxName(kind),
      label: html`${KIND_WORDS[kind]} <code class="aside">${webhookType(kind)}</code>`,
      checked: form.isChecked(boxName(kind), events.includes(kind)),
    })),
  })}`

const MESSAGE_WORDS: Readonly<Record<UserMessageKind, string>> = {
  'user.created': 'User added',
  'user.updated': 'User changed',
  'user.deleted': 'User deleted',
  'user.removal_requested': 'User asked to be removed',
}

const KIND_WORDS: Readonly<Record<WebhookKind, string>> = { ...EVENT_WORDS, ...MESSAGE_WORDS }

const DISABLED: Readonly<Record<DisabledReason, string>> = {
  owner: 'Paused. Events wait until you enable it.',
  gone: 'Disabled: your app answered that the endpoint is gone (410). Enable it when it’s back; no event is lost.',
  failing: 'Disabled: no delivery succeeded for five days. Enable it when it works; no event is lost.',
  secret_unreadable: 'Disabled: its secret can’t be read. Replace the secret.',
}

export const webhookState = (reason: DisabledReason | null, failingSince: number | null, now: number): Html => {
  if (reason !== null) return html`${DISABLED[reason]}`
  return failingSince === null
    ? html`Active`
    : html`<strong>Failing</strong> since ${timestampInText(failingSince, now)}`
}
