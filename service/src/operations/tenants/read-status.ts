import { TIER_LIMITS, type Tier } from '@gatehouse/contract'
import { chargesFor, userCharge } from '../../domain/limits/allowance.ts'
import { statusAt, type Tenant, type TenantStatus, tierOf } from '../../domain/tenants/tenant.ts'
import type { Context } from '../context.ts'

export interface Used {
  readonly used: number
  readonly limit: number | null
}

export interface StatusReport {
  readonly tenant: Tenant
  readonly status: TenantStatus
  readonly tier: Tier
  readonly now: number
  readonly provisioned: boolean
  readonly usage: {
    readonly storedUsers: Used
    readonly eventsThisMinute: Used
    readonly eventsThisMonth: Used
    readonly eventsLifetime: Used
  }
}

/** Works in every status, so that an agent can always find out why other calls fail. */
export async function readStatus(ctx: Context, tenant: Tenant): Promise<StatusReport> {
  const now = ctx.now()
  const limits = TIER_LIMITS[tierOf(tenant)]
  const { lifetime, minute, month } = chargesFor(tenant, now)
  const [users = 0, inLifetime = 0, thisMinute = 0, thisMonth = 0] = await ctx.stores.counters.read([
    userCharge(tenant).counter,
    lifetime.counter,
    minute.counter,
    month.counter,
  ])
  const status = statusAt(tenant, now)
  return {
    tenant,
    status,
    tier: tierOf(tenant),
    now,
    provisioned: status !== 'expired' && (await ctx.stores.resources.findActive(tenant.id)) !== null,
    usage: {
      storedUsers: { used: users, limit: limits.storedUsers },
      eventsThisMinute: { used: thisMinute, limit: limits.eventsPerMinute },
      eventsThisMonth: { used: thisMonth, limit: limits.eventsPerMonth },
      eventsLifetime: { used: inLifetime, limit: limits.eventsPerLifetime },
    },
  }
}
