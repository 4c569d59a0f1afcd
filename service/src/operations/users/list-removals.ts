import { REMOVAL_MS, type RemovalRequest } from '../../domain/me/person.ts'
import type { User } from '../../domain/sessions/user.ts'
import type { Page } from '../../domain/stores/stores.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import type { Instant } from '../../domain/time.ts'
import type { Context } from '../context.ts'
import { requireResource } from '../tenants/require-tenant.ts'

/** A user who asked to be removed, as the owner sees it. */
export interface Removal extends Pick<RemovalRequest, 'userId' | 'requestedAt'>, Pick<User, 'email'> {
  /** When the sweep deletes the user. */
  readonly dueAt: Instant
}

export interface Removals {
  readonly removals: Removal[]
  readonly hasMore: boolean
}

export async function listRemovals(ctx: Context, tenant: Tenant, { after, limit }: Page): Promise<Removals> {
  requireTenantAccess(tenant, 'read', ctx.now())
  const resource = await requireResource(ctx.stores, tenant)
  // One more than requested, to know whether there is another page.
  const found = await ctx.stores.removals.page(resource, { after, limit: limit + 1 })
  const removals = found.slice(0, limit).map((each) => ({ ...each, dueAt: each.requestedAt + REMOVAL_MS }))
  return { removals, hasMore: found.length > limit }
}

const SHOWN = 20

/** For the owner's page. */
export async function readRemovals(ctx: Context, tenant: Tenant): Promise<Removals> {
  const resource = await ctx.stores.resources.findActive(tenant.id)
  return resource === null ? { removals: [], hasMore: false } : listRemovals(ctx, tenant, { after: 0, limit: SHOWN })
}
