import type { Tenant } from '../../domain/tenants/tenant.ts'
import type { Context } from '../context.ts'
import { purgeResource } from '../social-login/purge-resource.ts'

const ROWS_BEFORE_RETURN = 10_000

/**
 * A tenant is over: a guest whose 72 hours passed, or one its owner deleted. Its data goes at once, out of reach first
 * and then for good; what stays for 30 days is a tombstone that answers 410. May be repeated after a kill.
 */
export async function endTenant(ctx: Context, tenant: Tenant, why: 'overdue' | 'deleted'): Promise<void> {
  const now = ctx.now()
  const removed = await ctx.stores.transaction(async (stores) => {
    // First, because it decides: somebody may have claimed it since it was found overdue.
    const { ownership } = stores
    const ended = await (why === 'overdue' ? ownership.endOverdue(tenant.id, now) : ownership.end(tenant.id, now))
    if (!ended) return null
    const resource = await stores.resources.markDeleted(tenant.id, now)
    await stores.attempts.removeByTenant(tenant.id)
    await stores.claims.removeByTenant(tenant.id)
    await stores.requestRecords.removeByTenant(tenant.id)
    await stores.credentials.remove(tenant.id)
    return resource
  })
  ctx.directory.forget(tenant.id)
  if (removed !== null) await purgeResource(ctx, tenant, removed.id, ROWS_BEFORE_RETURN)
}
