import * as z from 'zod'
import { BODY_ERRORS } from '../api-errors.ts'
import { DEFAULT_WEBHOOK_KINDS, webhookType } from '../event-kinds.ts'
import { SAMPLE } from '../examples.ts'
import {
  WEBHOOK_DELIVERIES_KEPT,
  WEBHOOK_REPLAY_COUNT_MAX,
  WEBHOOK_REPLAY_IDS_MAX,
} from '../limits.ts'
import { Cursor, wholeNumber } from '../schemas/query.ts'
import {
  Webhook,
  WebhookDelivery,
  WebhookEvents,
  WebhookTestResult,
  WebhookUrl,
} from '../schemas/webhook.ts'
import { defineEndpoint, MANAGEMENT_ERRORS } from './define-endpoint.ts'

const SAMPLE_WEBHOOK = {
  id: SAMPLE.webhookId,
  url: SAMPLE.webhookUrl,
  events: DEFAULT_WEBHOOK_KINDS.map(webhookType),
  status: 'active',
  disabled_reason: null,
  failing_since: null,
  cursor: 2,
  waiting_retries: 0,
  replay: null,
  created_at: '2026-11-15T12:05:00.000Z',
} as const

export const webhookParams = z.object({ webhookId: z.string() })

const OneWebhook = z.strictObject({ webhook: Webhook })
const Secret = z.string().describe('`whsec_` and base64: signs every delivery. Shown only here.')

export const createWebhook = defineEndpoint({
  id: 'createWebhook',
  method: 'POST',
  path: '/api/webhooks',
  auth: 'management',
  summary: 'Add an endpoint that gets the events from now on. The secret is shown only once.',
  tag: 'Webhooks',
  requestHeaders: {
    'Idempotency-Key':
      'For a day, a retry with the same key and body returns the same endpoint and secret, until it is rotated.',
  },
  body: z.strictObject({
    url: WebhookUrl,
    events: WebhookEvents.optional().describe(
      'Default: the events of the history except `social_login.login_started` and `social_login.token_refreshed`.',
    ),
  }),
  ok: { status: 201, body: z.strictObject({ webhook: Webhook, secret: Secret }) },
  errors: [
    ...MANAGEMENT_ERRORS,
    'tenantSuspended',
    ...BODY_ERRORS,
    'webhookUrlRefused',
    'webhookLimit',
    'outcomeUnknown',
  ],
  example: {
    body: { url: SAMPLE.webhookUrl },
    response: { webhook: SAMPLE_WEBHOOK, secret: SAMPLE.webhookSecret },
  },
})

export const listWebhooks = defineEndpoint({
  id: 'listWebhooks',
  method: 'GET',
  path: '/api/webhooks',
  auth: 'management',
  summary: 'List the endpoints of this tenant.',
  tag: 'Webhooks',
  ok: { status: 200, body: z.strictObject({ webhooks: z.array(Webhook) }) },
  errors: MANAGEMENT_ERRORS,
  example: { response: { webhooks: [SAMPLE_WEBHOOK] } },
})

export const readWebhook = defineEndpoint({
  id: 'readWebhook',
  method: 'GET',
  path: '/api/webhooks/:webhookId',
  auth: 'management',
  summary: 'Read one endpoint.',
  tag: 'Webhooks',
  params: webhookParams,
  ok: { status: 200, body: OneWebhook },
  errors: [...MANAGEMENT_ERRORS, 'webhookNotFound'],
  example: { params: { webhookId: SAMPLE.webhookId }, response: { webhook: SAMPLE_WEBHOOK } },
})

export const changeWebhook = defineEndpoint({
  id: 'changeWebhook',
  method: 'PATCH',
  path: '/api/webhooks/:webhookId',
  auth: 'management',
  summary:
    'Change the URL or the kinds of events, or enable or disable the endpoint. A disabled one misses nothing.',
  tag: 'Webhooks',
  params: webhookParams,
  body: z
    .strictObject({
      url: WebhookUrl,
      events: WebhookEvents,
      status: z
        .enum(['active', 'disabled'])
        .describe('`active` also ends a back-off: what waits is sent at once, from the cursor on.'),
    })
    .partial()
    .refine((changes) => Object.keys(changes).length > 0, 'Send at least one field.')
    .meta({ id: 'WebhookChange', description: 'Any of the fields.' }),
  ok: { status: 200, body: OneWebhook },
  errors: [
    ...MANAGEMENT_ERRORS,
    'tenantSuspended',
    ...BODY_ERRORS,
    'webhookNotFound',
    'webhookUrlRefused',
  ],
  example: {
    params: { webhookId: SAMPLE.webhookId },
    body: { status: 'active' },
    response: { webhook: SAMPLE_WEBHOOK },
  },
})

export const deleteWebhook = defineEndpoint({
  id: 'deleteWebhook',
  method: 'DELETE',
  path: '/api/webhooks/:webhookId',
  auth: 'management',
  summary: 'Delete an endpoint, its secret and its delivery log.',
  tag: 'Webhooks',
  params: webhookParams,
  ok: { status: 200, body: z.strictObject({ success: z.literal(true) }) },
  errors: [...MANAGEMENT_ERRORS, 'tenantSuspended', 'webhookNotFound'],
  example: { params: { webhookId: SAMPLE.webhookId }, response: { success: true } },
})

export const rotateWebhookSecret = defineEndpoint({
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: '/api/webhooks/:webhookId/rotate',
  auth: 'management',
  summary: 'Replace the secret. For 24 hours deliveries are signed with the old one, too.',
  tag: 'Webhooks',
  params: webhookParams,
  body: z.strictObject({}).optional(),
  ok: { status: 200, body: z.strictObject({ secret: Secret, previous_until: z.iso.datetime() }) },
  errors: [
    ...MANAGEMENT_ERRORS,
    'tenantSuspended',
    ...BODY_ERRORS,
    'webhookNotFound',
    'outcomeUnknown',
  ],
  example: {
    params: { webhookId: SAMPLE.webhookId },
    body: {},
    response: { secret: SAMPLE.webhookSecret, previous_until: '2026-11-16T12:05:00.000Z' },
  },
})

/** In documentation order. */
export const WEBHOOK_ENDPOINTS = [
  createWebhook,
  listWebhooks,
  readWebhook,
  changeWebhook,
  deleteWebhook,
  rotateWebhookSecret,
] as const

const EventId = z.int().min(0).max(999_999_999_999_999)

export const testWebhook = defineEndpoint({
  id: 'testWebhook',
  method: 'POST',
  path: '/api/webhooks/:webhookId/test',
  auth: 'management',
  summary:
    'Send one signed message of type `webhook.test` now, and return the result. Works for a disabled endpoint.',
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
  summary:
    'List the newest attempts by ascending id: when, with what status, and how long each took. Kept for 7 days.',
  tag: 'Webhooks',
  params: webhookParams,
  query: z.strictObject({
    after: Cursor.optional()
      .default(0)
      .describe('The id of an attempt: only newer ones are listed.'),
    limit: wholeNumber(1, WEBHOOK_DELIVERIES_KEPT).optional().default(WEBHOOK_DELIVERIES_KEPT),
  }),
  ok: {
    status: 200,
    body: z.strictObject({ deliveries: z.array(WebhookDelivery) }),
    headers: ['NextPage'],
  },
  errors: [...MANAGEMENT_ERRORS, 'webhookNotFound'],
  example: {
    params: { webhookId: SAMPLE.webhookId },
    response: {
      deliveries: [
        {
          id: 1,
          type: 'social_login.authorize',
          event_id: 2,
          attempt: 1,
          at_ms: 1_794_744_061_000,
          delivered: true,
          status: 200,
          ms: 41,
          error: null,
        },
      ],
    },
  },
})

export const replayWebhook = defineEndpoint({
  id: 'replayWebhook',
  method: 'POST',
  path: '/api/webhooks/:webhookId/replay',
  auth: 'management',
  summary:
    'Send events of the history again, with the same ids: those after `after`, up to `until`, or those in `event_ids`.',
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
        .describe(
          'Ids that do not exist, or are of other kinds than those of the endpoint, are ignored.',
        ),
    })
    .partial()
    .refine(
      ({ after, until, event_ids }) =>
        (after === undefined) !== (event_ids === undefined) &&
        (until === undefined || after !== undefined),
      'Send either `after`, with or without `until`, or `event_ids`.',
    )
    .meta({ id: 'WebhookReplay', description: 'A range of events, or a list.' }),
  ok: {
    status: 200,
    body: z.strictObject({
      webhook: Webhook,
      deliveries: z
        .int()
        .describe(
          `How many events it sends again, those of a range that is still being sent included. Counted up to ${WEBHOOK_REPLAY_COUNT_MAX}.`,
        ),
    }),
  },
  errors: [
    ...MANAGEMENT_ERRORS,
    'tenantSuspended',
    ...BODY_ERRORS,
    'webhookNotFound',
    'webhookLimit',
  ],
  example: {
    params: { webhookId: SAMPLE.webhookId },
    body: { after: 0 },
    response: { webhook: { ...SAMPLE_WEBHOOK, replay: { after: 0, until: 2 } }, deliveries: 2 },
  },
})

/** In documentation order. */
export const WEBHOOK_DELIVERY_ENDPOINTS = [
  testWebhook,
  listWebhookDeliveries,
  replayWebhook,
] as const
