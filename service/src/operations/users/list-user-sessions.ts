import type { UserId } from '../../domain/ids.ts'
import type { Session } from '../../domain/sessions/session.ts'
import type { Page } from '../../domain/stores/stores.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import type { Context } from '../context.ts'
import { requireResource } from '../tenants/require-tenant.ts'
import { requireUser } from './get-user.ts'

export interface UserSessions {
  readonly sessions: Session[]
  readonly hasMore: boolean
}

/** The sessions of a user that can still be refreshed, by ascending id. */
export async function listUserSessions(
  ctx: Context,
  tenant: Tenant,
  userId: UserId | null,
  { after, limit }: Page,
): Promise<UserSessions> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'read', now)
  const resource = await requireResource(ctx.stores, tenant)
  const { id } = await requireUser(ctx.stores, resource, userId)
  // One more than requested, to know whether there is another page.
  const sessions = await ctx.stores.sessions.ofUser(resource, id, now, { after, limit: limit + 1 })
  return { sessions: sessions.slice(0, limit), hasMore: sessions.length > limit }
}
