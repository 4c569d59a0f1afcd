import { type AuthEventKind, DEFAULT_WEBHOOK_EVENTS, TIER_LIMITS } from '@gatehouse/contract'
import { ApiError } from '../../domain/api-error.ts'
import type { Author } from '../../domain/audit/action.ts'
import { type Tenant, tierOf } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import { mintWebhookSecret, sealWebhookSecret } from '../../domain/webhooks/secret.ts'
import { newWebhookId } from '../../domain/webhooks/webhook.ts'
import { recordAction } from '../audit/record-action.ts'
import type { Context } from '../context.ts'
import { withAdvice } from '../unknown-outcome.ts'
import { type DescribedWebhook, describeWebhook } from './list-webhooks.ts'
import { requireWebhookUrl } from './require-webhook.ts'

export interface WebhookRequest {
  readonly url: string
  readonly events: readonly AuthEventKind[] | undefined
}

export interface CreatedWebhook {
  readonly webhook: DescribedWebhook
  readonly secret: string
}

const ADVICE =
  'The webhook may have been added, without its secret in a response. List the webhooks with GET /api/webhooks; delete it if it is there, and add it again.'

/** Adds an endpoint that gets every event after the last one of now. */
export async function createWebhook(
  ctx: Context,
  tenant: Tenant,
  { url: requested, events = DEFAULT_WEBHOOK_EVENTS }: WebhookRequest,
  author: Author,
): Promise<CreatedWebhook> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'use', now)
  const url = requireWebhookUrl(ctx, requested)
  const ref = { tenantId: tenant.id, id: newWebhookId(ctx.random) }
  const secret = mintWebhookSecret(ctx.random)
  const sealed = sealWebhookSecret(ctx.keyring, ref, secret, ctx.random)
  const creating = ctx.stores.confirmedTransaction(async (stores) => {
    const cursor = await stores.eventCounts.lastEventId(tenant.id)
    const webhook = { ...ref, url, events: [...new Set(events)], sealed, cursor, createdAt: now }
    const limit = TIER_LIMITS[tierOf(tenant)].webhooks
    if (!(await stores.webhooks.add(webhook, limit))) throw tooMany(limit)
    await recordAction(stores, { tenantId: tenant.id, author, action: 'webhook.created', target: ref.id, at: now })
    return describeWebhook(stores, ref)
  })
  return { webhook: await withAdvice(ADVICE, creating), secret }
}

const tooMany = (limit: number): ApiError =>
  new ApiError(
    'webhookLimit',
    `This tenant has ${limit} webhook${limit === 1 ? '' : 's'}, as many as its tier includes. Delete one first.`,
    { details: { limit } },
  )
