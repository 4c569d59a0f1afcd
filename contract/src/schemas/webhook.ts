import * as z from 'zod'
import { WEBHOOK_DISABLED_REASONS, WEBHOOK_TYPES } from '../event-kinds.ts'
import { WEBHOOK_URL_MAX_CHARACTERS } from '../limits.ts'

export const WebhookUrl = z
  .string()
  .max(WEBHOOK_URL_MAX_CHARACTERS)
  .describe(
    'An https URL on the public internet, port 443 or above 1023; on a local service also http to loopback.',
  )

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
    failing_since: z.iso
      .datetime()
      .nullable()
      .describe('The first failure since the last success.'),
    cursor: z.int().describe('The id of the last event that was sent, or recorded for a retry.'),
    waiting_retries: z
      .int()
      .describe(
        'Failed deliveries of events that will be sent again. At 1,000, newer events wait.',
      ),
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
  status: z
    .int()
    .nullable()
    .describe('The HTTP status of the response; null without one. 2xx is a success.'),
  ms: z.int().describe('The duration in milliseconds.'),
  error: z
    .enum(WEBHOOK_ERRORS)
    .nullable()
    .describe(
      'Without a response: no response within 15 seconds, no connection, or an invalid certificate.',
    ),
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
