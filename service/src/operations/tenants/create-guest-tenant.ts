import { GUESTS_PER_MINUTE_PER_SOURCE } from '@gatehouse/contract'
import type { Counter } from '../../domain/limits/counter.ts'
import { minuteEnd, minuteStart } from '../../domain/limits/windows.ts'
import { Refusal } from '../../domain/refusal.ts'
import { GUEST_LIFETIME_MS, type Tenant, type TenantOrigin } from '../../domain/tenants/tenant.ts'
import { mintTenantId } from '../../domain/tenants/tenant-id.ts'
import { mintTenantKey } from '../../domain/tenants/tenant-keys.ts'
import type { Context } from '../context.ts'

export interface NewTenant {
  readonly tenant: Tenant
  readonly managementKey: string
  readonly applicationKey: string
}

/** A guest: 72 hours, its own keys, nobody's property. The keys are known to the caller and to nobody else. */
export async function createGuestTenant(
  ctx: Context,
  { source, origin }: { source: string; origin: TenantOrigin },
): Promise<NewTenant> {
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

  await ctx.stores.atHome(async (stores) => {
    const creations: Counter = {
      scope: `source:${ctx.keyring.hash('source', source)}`,
      window: 'guests',
      start: minuteStart(now),
    }
    if ((await stores.counters.spend(creations, 1, GUESTS_PER_MINUTE_PER_SOURCE)) === null) throw tooManyGuests(now)
    await stores.tenants.create(tenant, [
      { kind: 'management', hash: ctx.keyring.hash('management', managementKey) },
      { kind: 'application', hash: ctx.keyring.hash('application', applicationKey) },
    ])
  })
  return { tenant, managementKey, applicationKey }
}

function tooManyGuests(now: number): Refusal {
  const seconds = Math.ceil((minuteEnd(now) - now) / 1_000)
  return new Refusal(
    'rateLimited',
    `One source may create ${GUESTS_PER_MINUTE_PER_SOURCE} guest tenants a minute. Try again in ${seconds} s, or reuse the tenant you have.`,
    {
      details: { window: 'minute', limit: GUESTS_PER_MINUTE_PER_SOURCE, left: 0 },
      retryAfterSeconds: seconds,
    },
  )
}
