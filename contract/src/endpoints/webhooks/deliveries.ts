import * as z from 'zod'
import { BODY_ERRORS } from '../../api-errors.ts'
import { SAMPLE } from '../../examples/sample.ts'
import { SAMPLE_WEBHOOK } from '../../examples/webhook.ts'
import { WEBHOOK_DELIVERIES_KEPT, WEBHOOK_REPLAY_IDS_MAX } from '../../limits.ts'
import { Cursor, wholeNumber } from '../../schemas/query.ts'
import { Webhook, WebhookDelivery, WebhookTestResult } from '../../schemas/webhook.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { MANAGEMENT_ERRORS } from '../management-errors.ts'
import { webhookParams } from './webhooks.ts'

const EventId = z.int().min(0).max(999_999_999_999_999)

export const testWebhook = defineEndpoint({
  id: 'testWebhook',
  method: 'POST',
  path: '/api/webhooks/:webhookId/test',
  auth: 'management',
  summary: 'Send one signed message of type `webhook.test` now, and return the result. Works for a disabled endpoint.',
  tag: 'Webhooks',
  params: webhookParams,
  body: z.strictObject({}).optional(),
  ok: { status: 200, body: WebhookTestResult },
  errors: [...MANAGEMENT_ERRORS, 'tenantSuspended', ...BODY_ERRORS, 'webhookNotFound'],
  example: {
    params: { webhookId: SAMPLE.webhookId },
    body: {},
    response: { delivered: true, status: 200, ms: 41, error: null },
  },
})

export const listWebhookDeliveries = defineEndpoint({
  id: 'listWebhookDeliveries',
  method: 'GET',
  path: '/api/webhooks/:webhookId/deliveries',
  auth: 'management',
  summary: 'List the newest attempts by ascending id: when, with what status, and how long each took. Kept for 7 days.',
  tag: 'Webhooks',
  params: webhookParams,
  query: z.strictObject({
    after: Cursor.optional().default(0).describe('The id of an attempt: only newer ones are listed.'),
    limit: wholeNumber(1, WEBHOOK_DELIVERIES_KEPT).optional().default(WEBHOOK_DELIVERIES_KEPT),
  }),
  ok: { status: 200, body: z.strictObject({ deliveries: z.array(WebhookDelivery) }) },
  errors: [...MANAGEMENT_ERRORS, 'webhookNotFound'],
  example: {
    params: { webhookId: SAMPLE.webhookId },
    response: {
      deliveries: [
        { id: 1, event_id: 2, attempt: 1, at_ms: 1_794_744_061_000, delivered: true, status: 200, ms: 41, error: null },
      ],
    },
  },
})

export const replayWebhook = defineEndpoint({
  id: 'replayWebhook',
  method: 'POST',
  path: '/api/webhooks/:webhookId/replay',
  auth: 'management',
  summary: 'Send events again, with the same ids: those after `after`, up to `until`, or those in `event_ids`.',
  tag: 'Webhooks',
  params: webhookParams,
  body: z
    .strictObject({
      after: EventId.describe('The id of an event; 0: from the start of the history.'),
      until: EventId.describe('The last event; default and at most: the cursor of the endpoint.'),
      event_ids: z
        .array(EventId)
        .min(1)
        .max(WEBHOOK_REPLAY_IDS_MAX)
        .describe('Ids that do not exist, or are of other kinds than those of the endpoint, are ignored.'),
    })
    .partial()
    .refine(
      ({ after, until, event_ids }) =>
        (after === undefined) !== (event_ids === undefined) && (until === undefined || after !== undefined),
      'Send either `after`, with or without `until`, or `event_ids`.',
    )
    .meta({ id: 'WebhookReplay', description: 'A range of events, or a list.' }),
  ok: { status: 200, body: z.strictObject({ webhook: Webhook }) },
  errors: [...MANAGEMENT_ERRORS, 'tenantSuspended', ...BODY_ERRORS, 'webhookNotFound', 'webhookLimit'],
  example: {
    params: { webhookId: SAMPLE.webhookId },
    body: { after: 0 },
    response: { webhook: { ...SAMPLE_WEBHOOK, replay: { after: 0, until: 2 } } },
  },
})

/** In documentation order. */
export const WEBHOOK_DELIVERY_ENDPOINTS = [testWebhook, listWebhookDeliveries, replayWebhook] as const
