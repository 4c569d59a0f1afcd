import type { Author } from '../../domain/audit/action.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import { recordAction } from '../audit/record-action.ts'
import type { Context } from '../context.ts'
import { refOf, webhookNotFound } from './require-webhook.ts'

export async function deleteWebhook(ctx: Context, tenant: Tenant, id: string, author: Author): Promise<void> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'use', now)
  await ctx.stores.transaction(async (stores) => {
    const ref = refOf(tenant, id)
    if (!(await stores.webhooks.remove(ref))) throw webhookNotFound()
    await recordAction(stores, { tenantId: tenant.id, author, action: 'webhook.deleted', target: ref.id, at: now })
  })
}
