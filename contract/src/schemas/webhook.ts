import * as z from 'zod'
import { WEBHOOK_URL_MAX_CHARACTERS } from '../limits.ts'
import { AUTH_EVENT_KINDS, type AuthEventKind } from './auth-event.ts'

/** Messages about users. They are no events: the history has none of them. */
export const USER_MESSAGES = ['user.created', 'user.updated', 'user.deleted', 'user.removal_requested'] as const

export type UserMessageKind = (typeof USER_MESSAGES)[number]

/** What an endpoint can get. */
export type WebhookKind = AuthEventKind | UserMessageKind

export const WEBHOOK_KINDS: readonly WebhookKind[] = [...AUTH_EVENT_KINDS, ...USER_MESSAGES]

/** The name of a kind on the wire: in the filter of an endpoint, and as the `type` of what it gets. */
export type WebhookType = `social_login.${AuthEventKind}` | UserMessageKind

const AUTH_PREFIX = 'social_login.'

const isUserMessage = (name: string): name is UserMessageKind => (USER_MESSAGES as readonly string[]).includes(name)

export const webhookType = (kind: WebhookKind): WebhookType => (isUserMessage(kind) ? kind : `${AUTH_PREFIX}${kind}`)

export const webhookKind = (type: WebhookType): WebhookKind =>
  isUserMessage(type) ? type : (type.slice(AUTH_PREFIX.length) as AuthEventKind)

export const WEBHOOK_TYPES = WEBHOOK_KINDS.map(webhookType)

/** The kinds that an endpoint gets unless it chooses others: not those that come with every page view. */
export const DEFAULT_WEBHOOK_KINDS = [
  'consent_denied',
  'authorize',
  'login_failed',
  'logout',
] as const satisfies readonly WebhookKind[]

export const WEBHOOK_DISABLED_REASONS = ['owner', 'gone', 'failing', 'secret_unreadable'] as const

export const WebhookUrl = z
  .string()
  .max(WEBHOOK_URL_MAX_CHARACTERS)
  .describe('An https URL on the public internet, port 443 or above 1023; on a local service also http to loopback.')

export const WebhookEvents = z
  .array(z.enum(WEBHOOK_TYPES))
  .min(1)
  .max(WEBHOOK_TYPES.length)
  .describe('The types of what is sent, as in `type` of a delivery.')

export const Webhook = z
  .strictObject({
    id: z.string(),
    url: WebhookUrl,
    events: WebhookEvents,
    status: z.enum(['active', 'disabled']),
    disabled_reason: z
      .enum(WEBHOOK_DISABLED_REASONS)
      .nullable()
      .describe(
        '`owner`: you disabled it; `gone`: it answered 410; `failing`: no delivery succeeded for five days; `secret_unreadable`: rotate its secret.',
      ),
    failing_since: z.iso.datetime().nullable().describe('The first failure since the last success.'),
    cursor: z.int().describe('The id of the last event that was sent, or recorded for a retry.'),
    waiting_retries: z
      .int()
      .describe('Failed deliveries of events that will be sent again. At 1,000, newer events wait.'),
    replay: z
      .strictObject({ after: z.int(), until: z.int() })
      .nullable()
      .describe('The events of a requested range that are still to be sent again.'),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Webhook', description: 'An endpoint of your app that gets events.' })

export const WEBHOOK_ERRORS = ['timeout', 'unreachable', 'tls'] as const

export type WebhookError = (typeof WEBHOOK_ERRORS)[number]

const Attempt = {
  status: z.int().nullable().describe('The HTTP status of the response; null without one. 2xx is a success.'),
  ms: z.int().describe('The duration in milliseconds.'),
  error: z
    .enum(WEBHOOK_ERRORS)
    .nullable()
    .describe('Without a response: no response within 15 seconds, no connection, or an invalid certificate.'),
}

export const WebhookTestResult = z
  .strictObject({ delivered: z.boolean(), ...Attempt })
  .meta({ id: 'WebhookTestResult', description: 'The result of one test delivery.' })

export const WebhookDelivery = z
  .strictObject({
    id: z.int().describe('Counts the attempts of this endpoint.'),
    type: z.string().describe('The `type` of what was sent; `webhook.test`: a test.'),
    event_id: z.int().nullable().describe('null: a test, or a message about a user.'),
    attempt: z.int().describe('1 for the first attempt.'),
    at_ms: z.int().describe('Milliseconds since 1970.'),
    delivered: z.boolean(),
    ...Attempt,
  })
  .meta({ id: 'WebhookDelivery', description: 'One attempt to deliver an event.' })
