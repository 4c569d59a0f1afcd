import { type Daily, dailyFrom, firstDay } from '../../domain/events/daily.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import type { Context } from '../context.ts'

/** The counts of each of the last days, today included. */
export async function readDaily(ctx: Context, tenant: Tenant, days: number): Promise<Daily[]> {
  const now = ctx.now()
  const resource = await ctx.stores.resources.findActive(tenant.id)
  return dailyFrom(resource === null ? [] : await ctx.stores.events.daily(resource, firstDay(now, days)), now, days)
}
