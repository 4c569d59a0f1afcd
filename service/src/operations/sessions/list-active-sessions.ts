import type { ActiveSession, NewestSessions } from '../../domain/stores/stores.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import type { Context } from '../context.ts'

export interface ActiveSessionPage {
  readonly sessions: readonly ActiveSession[]
  readonly hasMore: boolean
}

/** The sessions of a tenant's users that can still be refreshed, the newest first. Empty without social login. */
export async function listActiveSessions(
  ctx: Pick<Context, 'stores' | 'now'>,
  tenant: Tenant,
  query: NewestSessions,
): Promise<ActiveSessionPage> {
  const resource = await ctx.stores.resources.findActive(tenant.id)
  if (resource === null) return { sessions: [], hasMore: false }
  // One more than requested, to know whether there is another page.
  const found = await ctx.stores.sessions.active(resource, ctx.now(), { ...query, limit: query.limit + 1 })
  return { sessions: found.slice(0, query.limit), hasMore: found.length > query.limit }
}
