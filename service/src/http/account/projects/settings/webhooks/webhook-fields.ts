import { AUTH_EVENT_KINDS, type AuthEventKind } from '@gatehouse/contract'
import { boxesField, textField } from '../../../../pages/fields.ts'
import { type Html, html } from '../../../../pages/markup.ts'
import { EVENT_WORDS } from '../../activity.ts'
import type { FormState } from '../form-state.ts'

/** The fields whose problems the form shows. */
export const WEBHOOK_FIELDS = ['url', 'events'] as const

const boxName = (kind: AuthEventKind): string => `event_${kind}`

/** What an owner sets of an endpoint. */
export const webhookFields = (
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
