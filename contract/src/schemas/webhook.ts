import * as z from 'zod'
import { WEBHOOK_URL_MAX_CHARACTERS } from '../limits.ts'
import { AUTH_EVENT_KINDS, type AuthEventKind } from './auth-event.ts'

/** The kinds that an endpoint gets unless it chooses others: not those that come with every page view. */
export const DEFAULT_WEBHOOK_EVENTS = [
  'consent_denied',
  'authorize',
  'login_failed',
  'logout',
] as const satisfies readonly AuthEventKind[]

export const WEBHOOK_DISABLED_REASONS = ['owner', 'gone', 'failing', 'secret_unreadable'] as const

export const WebhookUrl = z
  .string()
  .max(WEBHOOK_URL_MAX_CHARACTERS)
  .describe('An https URL on the public internet, port 443 or above 1023; on a local service also http to loopback.')

export const WebhookEvents = z
  .array(z.enum(AUTH_EVENT_KINDS))
  .min(1)
  .max(AUTH_EVENT_KINDS.length)
  .describe('The kinds of events that are sent.')

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
    waiting_retries: z.int().describe('Failed deliveries that will be sent again. At 1,000, newer events wait.'),
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
    event_id: z.int().nullable().describe('null: a test.'),
    attempt: z.int().describe('1 for the first attempt of this event.'),
    at_ms: z.int().describe('Milliseconds since 1970.'),
    delivered: z.boolean(),
    ...Attempt,
  })
  .meta({ id: 'WebhookDelivery', description: 'One attempt to deliver an event.' })
