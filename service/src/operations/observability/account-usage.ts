import type { Account } from '../../domain/accounts/account.ts'
import { enforcedLimits } from '../../domain/limits/allowance.ts'
import { minuteEnd, monthEnd } from '../../domain/limits/windows.ts'
import type { Context } from '../context.ts'

export interface Used {
  readonly used: number
  readonly limit: number | null
  /** null: does not reset. */
  readonly resetsAt: number | null
}

export interface AccountUsage {
  readonly storedUsers: Used
  readonly eventsThisMinute: Used
  readonly eventsThisMonth: Used
}

/** Usage of an account against the limits of its tier, over all its tenants. */
export async function readAccountUsage(ctx: Context, account: Pick<Account, 'id' | 'tier'>): Promise<AccountUsage> {
  const now = ctx.now()
  const limits = enforcedLimits(account.tier, ctx.unlimited)
  const scope = `account:${account.id}` as const
  const { users, minute, month } = await ctx.stores.eventCounts.read({ own: scope, shared: scope }, now)
  return {
    storedUsers: { used: users, limit: limits.storedUsers, resetsAt: null },
    eventsThisMinute: { used: minute.used, limit: limits.eventsPerMinute, resetsAt: minuteEnd(now) },
    eventsThisMonth: { used: month.used, limit: limits.eventsPerMonth, resetsAt: monthEnd(now) },
  }
}
