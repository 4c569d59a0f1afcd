import * as endpoints from '@gatehouse-auth/contract'
import {
  DEFAULT_WEBHOOK_KINDS,
  WEBHOOK_KINDS,
  type WebhookKind,
  webhookKind,
  webhookType,
} from '@gatehouse-auth/contract'
import type { DisabledReason } from '../../../domain/webhooks/webhook.ts'
import {
  createWebhook,
  type DescribedWebhook,
  listWebhooks,
} from '../../../operations/webhooks/endpoints.ts'
import { keepForDisplay } from '../../callers/sessions.ts'
import { heading, scrollTable } from '../../pages/elements.ts'
import { boxesField } from '../../pages/fields.ts'
import { type Html, html } from '../../pages/markup.ts'
import { displayText } from '../../pages/text.ts'
import { timestampInText } from '../../pages/time.ts'
import { consoleForm, formElement } from '../console-form.ts'
import * as fields from '../fields.ts'
import { accountPaths, withQuery } from '../paths.ts'
import { EVENT_WORDS } from '../projects/activity.ts'
import { settingsSection } from './settings-page.ts'

const boxName = (kind: WebhookKind): string => `event_${kind}`

/** A check box for each kind of event. */
const events: fields.FormField<string[]> = {
  show: (state, name, current) =>
    boxesField({
      legend: 'Events',
      problems: state.problems(name),
      boxes: WEBHOOK_KINDS.map((kind) => ({
        name: boxName(kind),
        label: html`${KIND_WORDS[kind]} <code class="aside">${webhookType(kind)}</code>`,
        checked: state.isChecked(boxName(kind), (current as readonly string[]).includes(kind)),
      })),
    }),
  read: (form) => WEBHOOK_KINDS.filter((kind) => form.has(boxName(kind))).map(webhookType),
}

/** The fields of the forms that add and change an endpoint. */
export const WEBHOOK_FORM = {
  fields: {
    url: fields.text({
      label: 'URL of the endpoint',
      type: 'url',
      required: true,
      placeholder: 'https://app.example.com/webhooks',
    }),
    events,
  },
  errorFields: { webhookUrlRefused: 'url' },
} as const

const addForm = consoleForm({
  path: accountPaths.webhooks,
  id: 'webhook',
  button: 'Add endpoint',
  ...WEBHOOK_FORM,
  body: endpoints.createWebhook.body,
  async run({ ctx, c, owner, tenant, author }, { url, events }) {
    const request = { url, events: events?.map(webhookKind), idempotencyKey: null }
    const { webhook, secret } = await createWebhook(ctx, tenant, request, author)
    keepForDisplay(ctx, c, owner, secretOf(tenant.id, webhook.id), secret)
    return webhook.id
  },
  outcome: (id, { c, tenant }) =>
    c.redirect(withQuery(accountPaths.webhook(tenant.id, id), { done: 'added' }), 303),
})

/** Names the secret of an endpoint for the page that shows it once. */
export const secretOf = (tenantId: string, webhookId: string): string =>
  `webhook:${tenantId}:${webhookId}`

/** The endpoints, and a form to add one. */
export const webhooksSection = settingsSection({
  id: 'endpoints',
  title: 'Webhooks',
  forms: [addForm],
  notices: { 'webhook-deleted': 'Endpoint deleted.' },
  load: ({ ctx, tenant }): Promise<readonly ProjectWebhook[]> => listWebhooks(ctx, tenant),
  view: (frame, webhooks) => html`
    <p>Your app gets each event as a signed POST, in order, with retries. <a href="/docs/webhooks">How to verify one</a></p>
    ${webhooksTable(frame.project.tenantId, webhooks, frame.now)}
    <details${(frame.rejected?.id === addForm.id || webhooks.length === 0) && html` open`}>
      <summary>Add an endpoint</summary>
      ${formElement(addForm, frame, { values: { events: DEFAULT_WEBHOOK_KINDS } })}
    </details>`,
})

/** An endpoint as the owner sees it. */
type ProjectWebhook = Pick<DescribedWebhook, 'id' | 'url' | 'disabledReason' | 'failingSince'>

const webhooksTable = (tenantId: string, webhooks: readonly ProjectWebhook[], now: number): Html =>
  scrollTable({
    none: 'None yet.',
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

const KIND_WORDS: Readonly<Record<WebhookKind, string>> = {
  ...EVENT_WORDS,
  'user.created': 'User added',
  'user.updated': 'User changed',
  'user.deleted': 'User deleted',
  'user.removal_requested': 'User asked to be removed',
}

const DISABLED: Readonly<Record<DisabledReason, string>> = {
  owner: 'Paused. Events wait until you enable it.',
  gone: 'Disabled: your app answered that the endpoint is gone (410). Enable it when it’s back; no event is lost.',
  failing:
    'Disabled: no delivery succeeded for five days. Enable it when it works; no event is lost.',
  secret_unreadable: 'Disabled: its secret can’t be read. Replace the secret.',
}

export const webhookState = (
  reason: DisabledReason | null,
  failingSince: number | null,
  now: number,
): Html => {
  if (reason !== null) {
    return html`${DISABLED[reason]}`
  }
  return failingSince === null
    ? html`Active`
    : html`<strong>Failing</strong> since ${timestampInText(failingSince, now)}`
}
