import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import type { Context } from '../context.ts'
import { purgeResource } from './purge-resource.ts'

/** What is removed before the answer; the rest follows in the background, already out of everybody's reach. */
const ROWS_BEFORE_ANSWER = 10_000

/** Everything, for good. From the mark on nothing of it can be read, whether or not the rows are gone yet. */
export async function removeSocialLogin(ctx: Context, tenant: Tenant): Promise<void> {
  requireTenantAccess(tenant, 'delete', ctx.now())
  const removed = await ctx.stores.transaction(async (stores) => {
    const resource = await stores.resources.markDeleted(tenant.id, ctx.now())
    await stores.attempts.removeByTenant(tenant.id)
    return resource
  })
  ctx.directory.forget(tenant.id)
  if (removed !== null) await purgeResource(ctx, tenant, removed.id, ROWS_BEFORE_ANSWER)
}
