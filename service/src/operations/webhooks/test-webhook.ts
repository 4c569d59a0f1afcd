import { WEBHOOK_TESTS_PER_HOUR } from '@gatehouse/contract'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import { randomBase62 } from '../../domain/tokens/base62.ts'
import type { SendResult } from '../../domain/webhooks/delivery.ts'
import type { Context } from '../context.ts'
import { type HourlyLimit, limitByTenant } from '../limits/limit-by-tenant.ts'
import { requireWebhook } from './require-webhook.ts'
import { signDelivery, signingKeys } from './sign-delivery.ts'

/** Prevents that a key makes this service send any number of requests to a URL that it chose. */
const TEST_LIMIT: HourlyLimit = {
  scope: 'webhook-tests',
  perHour: WEBHOOK_TESTS_PER_HOUR,
  action: 'test its webhooks',
}

/** Sends one message now. Neither a failure nor a success changes the endpoint. */
export async function testWebhook(ctx: Context, tenant: Tenant, id: string): Promise<SendResult> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'use', now)
  const webhook = await requireWebhook(ctx.stores, tenant, id)
  await ctx.stores.transaction((stores) => limitByTenant(stores, TEST_LIMIT, tenant, now))
  const message = {
    id: `msg_${tenant.id}_test_${randomBase62(12, ctx.random)}`,
    body: ctx.webhooks.testBody(tenant.id, now),
  }
  // Without its secret, an endpoint is disabled at the next delivery; an unsigned test shows that it can be reached.
  const keys = signingKeys(ctx, webhook) ?? []
  const result = await ctx.webhooks.send(signDelivery(ctx, webhook, keys, message), NEVER)
  const { status, ms, error } = result
  await ctx.stores.deliveryLog.append(webhook, { eventId: null, attempt: 1, at: now, status, ms, error })
  return result
}

const NEVER = new AbortController().signal
