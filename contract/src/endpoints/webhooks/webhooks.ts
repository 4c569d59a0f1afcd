import * as z from 'zod'
import { BODY_ERRORS } from '../../api-errors.ts'
import { SAMPLE } from '../../examples/sample.ts'
import { SAMPLE_WEBHOOK } from '../../examples/webhook.ts'
import { Webhook, WebhookEvents, WebhookUrl } from '../../schemas/webhook.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { MANAGEMENT_ERRORS } from '../management-errors.ts'

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
  body: z.strictObject({
    url: WebhookUrl,
    events: WebhookEvents.optional().describe('Default: all but `login_started` and `token_refreshed`.'),
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
  summary: 'Change the URL or the kinds of events, or enable or disable the endpoint. A disabled one misses nothing.',
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
  errors: [...MANAGEMENT_ERRORS, 'tenantSuspended', ...BODY_ERRORS, 'webhookNotFound', 'webhookUrlRefused'],
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
  errors: [...MANAGEMENT_ERRORS, 'tenantSuspended', ...BODY_ERRORS, 'webhookNotFound', 'outcomeUnknown'],
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
