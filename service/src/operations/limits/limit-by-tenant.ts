import { ApiError } from '../../domain/api-error.ts'
import type { HourlyScope } from '../../domain/limits/counter.ts'
import type { Rate } from '../../domain/limits/rate.ts'
import { hourEnd, hourStart } from '../../domain/limits/windows.ts'
import type { TransactionStores } from '../../domain/stores/stores.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'

export interface HourlyLimit {
  readonly scope: HourlyScope
  readonly perHour: number
  /** For the error message: "A tenant may … 30 times an hour." */
  readonly action: string
}

/**
 * Counts one action of a tenant's key in the transaction of that action: what a key stores must not grow without a limit.
 * Throws `rateLimited`, which rolls the transaction back.
 */
export async function limitByTenant(
  stores: Pick<TransactionStores, 'counters'>,
  { scope, perHour, action }: HourlyLimit,
  tenant: Pick<Tenant, 'id'>,
  now: number,
): Promise<Rate> {
  const counter = { scope: `${scope}:${tenant.id}`, window: 'hour', start: hourStart(now) } as const
  const used = await stores.counters.spend(counter, 1, perHour)
  const resetsAt = hourEnd(now)
  if (used !== null) return { window: 'hour', limit: perHour, left: perHour - used, resetsAt }
  const seconds = Math.max(1, Math.ceil((resetsAt - now) / 1_000))
  throw new ApiError('rateLimited', `A tenant may ${action} ${perHour} times an hour. Try again in ${seconds} s.`, {
    details: { window: 'hour', limit: perHour, left: 0 },
    retryAfterSeconds: seconds,
  })
}
