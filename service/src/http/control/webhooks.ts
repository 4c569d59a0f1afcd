import * as endpoints from '@gatehouse-auth/contract'
import { type Webhook as WebhookView, webhookKind, webhookType } from '@gatehouse-auth/contract'
import type { z } from 'zod'
import { isDelivered, type RecordedAttempt } from '../../domain/webhooks/delivery.ts'
import { listWebhookDeliveries, replayWebhook } from '../../operations/webhooks/deliveries.ts'
import {
  changeWebhook,
  createWebhook,
  type DescribedWebhook,
  deleteWebhook,
  listWebhooks,
  readWebhook,
  rotateWebhookSecret,
  testWebhook,
} from '../../operations/webhooks/endpoints.ts'
import { keyAuthor } from '../callers/author.ts'
import type { App, HttpDependencies } from '../dependencies.ts'
import { iso, isoOrNull } from '../event-views.ts'
import { linkNext } from '../headers.ts'
import { mountForManagementKey } from '../mount-endpoint.ts'
import { readIdempotencyKey } from '../request/idempotency-key.ts'

export function webhookRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  mountForManagementKey(app, deps, endpoints.createWebhook, async ({ body }, c, tenant, key) => {
    const idempotencyKey = readIdempotencyKey(c.req.header('Idempotency-Key'))
    const request = { url: body.url, events: body.events?.map(webhookKind), idempotencyKey }
    const { webhook, secret } = await createWebhook(ctx, tenant, request, keyAuthor(c, key))
    return { webhook: webhookView(webhook), secret }
  })

  mountForManagementKey(app, deps, endpoints.listWebhooks, async (_input, _c, tenant) => ({
    webhooks: (await listWebhooks(ctx, tenant)).map(webhookView),
  }))

  mountForManagementKey(app, deps, endpoints.readWebhook, async ({ params }, _c, tenant) => ({
    webhook: webhookView(await readWebhook(ctx, tenant, params.webhookId)),
  }))

  mountForManagementKey(
    app,
    deps,
    endpoints.changeWebhook,
    async ({ params, body }, c, tenant, key) => {
      const { url, events, status } = body
      const change = {
        url,
        events: events?.map(webhookKind),
        active: status === undefined ? undefined : status === 'active',
      }
      return {
        webhook: webhookView(
          await changeWebhook(ctx, tenant, params.webhookId, change, keyAuthor(c, key)),
        ),
      }
    },
  )

  mountForManagementKey(app, deps, endpoints.deleteWebhook, async ({ params }, c, tenant, key) => {
    await deleteWebhook(ctx, tenant, params.webhookId, keyAuthor(c, key))
    return { success: true as const }
  })

  mountForManagementKey(
    app,
    deps,
    endpoints.rotateWebhookSecret,
    async ({ params }, c, tenant, key) => {
      const { secret, previousUntil } = await rotateWebhookSecret(
        ctx,
        tenant,
        params.webhookId,
        keyAuthor(c, key),
      )
      return { secret, previous_until: iso(previousUntil) }
    },
  )
}

const webhookView = (webhook: DescribedWebhook): z.infer<typeof WebhookView> => ({
  id: webhook.id,
  url: webhook.url,
  events: webhook.events.map(webhookType),
  status: webhook.disabledReason === null ? 'active' : 'disabled',
  disabled_reason: webhook.disabledReason,
  failing_since: isoOrNull(webhook.failingSince),
  cursor: webhook.cursor,
  waiting_retries: webhook.waitingRetries,
  replay:
    webhook.replay === null ? null : { after: webhook.replay.after, until: webhook.replay.until },
  created_at: iso(webhook.createdAt),
})

export function webhookDeliveryRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  mountForManagementKey(app, deps, endpoints.testWebhook, async ({ params }, _c, tenant) => {
    const result = await testWebhook(ctx, tenant, params.webhookId)
    return {
      delivered: isDelivered(result),
      status: result.status,
      ms: result.ms,
      error: result.error,
    }
  })

  mountForManagementKey(
    app,
    deps,
    endpoints.listWebhookDeliveries,
    async ({ params, query }, c, tenant) => {
      const { deliveries, hasMore } = await listWebhookDeliveries(
        ctx,
        tenant,
        params.webhookId,
        query,
      )
      if (hasMore) {
        linkNext(c, ctx.baseUrl, deliveries.at(-1)?.id, { limit: query.limit })
      }
      return { deliveries: deliveries.map(deliveryView) }
    },
  )

  mountForManagementKey(
    app,
    deps,
    endpoints.replayWebhook,
    async ({ params, body }, c, tenant, key) => {
      const { after = 0, until, event_ids: eventIds } = body
      const request = eventIds === undefined ? { after, until } : { eventIds }
      const { deliveries, ...webhook } = await replayWebhook(
        ctx,
        tenant,
        params.webhookId,
        request,
        keyAuthor(c, key),
      )
      return { webhook: webhookView(webhook), deliveries }
    },
  )
}

const deliveryView = (attempt: RecordedAttempt) => ({
  id: attempt.id,
  type: attempt.type,
  event_id: attempt.eventId,
  attempt: attempt.attempt,
  at_ms: attempt.at,
  delivered: isDelivered(attempt),
  status: attempt.status,
  ms: attempt.ms,
  error: attempt.error,
})
