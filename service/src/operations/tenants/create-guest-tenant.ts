import { GUESTS_PER_MINUTE_PER_SOURCE } from '@gatehouse/contract'
import type { Rate } from '../../domain/limits/rate.ts'
import { GUEST_LIFETIME_MS, type Tenant, type TenantOrigin } from '../../domain/tenants/tenant.ts'
import { mintTenantId } from '../../domain/tenants/tenant-id.ts'
import { mintTenantKey } from '../../domain/tenants/tenant-keys.ts'
import type { Context } from '../context.ts'
import { guardSource, type SourceGuard } from '../limits/guard-source.ts'

/** Shared by every door that makes guests, or one would be the way around the other. */
const GUESTS: SourceGuard = { scope: 'guests', perMinute: GUESTS_PER_MINUTE_PER_SOURCE, what: 'create guest tenants' }

export interface NewTenant {
  readonly tenant: Tenant
  readonly managementKey: string
  readonly applicationKey: string
}

export interface NewGuest extends NewTenant {
  /** What its source may still create in this minute. */
  readonly rate: Rate
}

/** A guest: 72 hours, its own keys, nobody's property. The keys are known to the caller and to nobody else. */
export async function createGuestTenant(
  ctx: Context,
  { source, origin }: { source: string; origin: TenantOrigin },
): Promise<NewGuest> {
  const now = ctx.now()
  const tenant: Tenant = {
    id: mintTenantId(ctx.random),
    origin,
    profile: ctx.profile,
    createdAt: now,
    expiresAt: now + GUEST_LIFETIME_MS,
    claimedAt: null,
    owner: null,
    pausedAt: null,
    pauseReason: null,
  }
  const managementKey = mintTenantKey('management', ctx.random)
  const applicationKey = mintTenantKey('application', ctx.random)

  const rate = await ctx.stores.atHome(async (stores) => {
    const left = await guardSource(ctx, stores, GUESTS, source, now)
    await stores.tenants.create(tenant, [
      { kind: 'management', hash: ctx.keyring.hash('management', managementKey) },
      { kind: 'application', hash: ctx.keyring.hash('application', applicationKey) },
    ])
    return left
  })
  return { tenant, managementKey, applicationKey, rate }
}
