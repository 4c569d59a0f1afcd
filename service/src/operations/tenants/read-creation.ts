import type { TenantId } from '../../domain/ids.ts'
import { canAccess, type Grant } from '../../domain/oauth/grant.ts'
import { statusAt } from '../../domain/tenants/tenant.ts'
import { tenantExpired } from '../../domain/tenants/tenant-access.ts'
import { alreadyClaimed } from '../claims/request-claim.ts'
import type { Context } from '../context.ts'
import type { NewTenant } from './create-guest-tenant.ts'
import { unsealKeyPair } from './tenant-key-pair.ts'

/** The tenant that an earlier call created, with its current keys, if the grant can still access it. */
export async function readCreation(ctx: Context, grant: Grant, tenantId: TenantId | null): Promise<NewTenant> {
  const tenant = tenantId === null ? null : await ctx.stores.tenants.find(tenantId)
  const now = ctx.now()
  if (tenant === null || statusAt(tenant, now) === 'expired') throw tenantExpired()
  // Claimed since: the keys belong to the owner, not to the guest that created the tenant.
  if (!canAccess(grant, tenant, now)) throw alreadyClaimed()
  const sealed = await ctx.stores.credentials.find(tenant.id)
  if (sealed === null) throw tenantExpired()
  return { tenant, ...unsealKeyPair(ctx, tenant.id, sealed) }
}
