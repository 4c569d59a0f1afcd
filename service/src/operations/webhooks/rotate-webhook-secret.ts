import type { Author } from '../../domain/audit/action.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import type { Instant } from '../../domain/time.ts'
import { mintWebhookSecret, sealWebhookSecret } from '../../domain/webhooks/secret.ts'
import { SECRET_OVERLAP_MS } from '../../domain/webhooks/webhook.ts'
import { recordAction } from '../audit/record-action.ts'
import type { Context } from '../context.ts'
import { withAdvice } from '../unknown-outcome.ts'
import { lockWebhook } from './require-webhook.ts'

export interface RotatedSecret {
  readonly secret: string
  readonly previousUntil: Instant
}

const ADVICE =
  'The secret may have been replaced; the one before still signs for 24 hours. Rotate it again to get a secret that you know.'

/** The secret of before signs, too, for a day. The one before that stops at once. */
export async function rotateWebhookSecret(
  ctx: Context,
  tenant: Tenant,
  id: string,
  author: Author,
): Promise<RotatedSecret> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'use', now)
  const secret = mintWebhookSecret(ctx.random)
  const previousUntil = now + SECRET_OVERLAP_MS
  const rotating = ctx.stores.confirmedTransaction(async (stores) => {
    const webhook = await lockWebhook(stores, tenant, id)
    const sealed = sealWebhookSecret(ctx.keyring, webhook, secret, ctx.random)
    await stores.webhooks.change(webhook, { sealed, previousSealed: webhook.sealed, previousUntil, nextLookAt: now })
    const target = webhook.id
    await recordAction(stores, { tenantId: tenant.id, author, action: 'webhook.secret_rotated', target, at: now })
  })
  await withAdvice(ADVICE, rotating)
  return { secret, previousUntil }
}
