import type { AuthEventKind } from '@gatehouse/contract'
import { type Charge, chargesFor } from '../../domain/limits/allowance.ts'
import { OverLimit } from '../../domain/limits/over-limit.ts'
import type { Rate } from '../../domain/limits/rate.ts'
import type { CounterStore, HomeStores } from '../../domain/stores.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'

/**
 * Counts one event, in the event's own transaction, or throws OverLimit, which undoes that transaction. Returns what
 * the minute has left.
 */
export async function spendAuthEvent(
  stores: Pick<HomeStores, 'counters'>,
  tenant: Tenant,
  kind: AuthEventKind,
  now: number,
): Promise<Rate> {
  const charges = chargesFor(tenant, kind, now)
  const used = []
  for (const charge of charges) used.push(await spendCharge(stores.counters, charge))
  const [, minute] = charges
  const limit = minute.limit ?? 0
  return { window: 'minute', limit, left: Math.max(0, limit - (used[1] ?? limit)), resetsAt: minute.resetsAt }
}

/**
 * Counts one event if every allowance has room, and otherwise counts nothing and says so. For what must happen
 * whatever the buckets say (a logout, a failure to report): it then goes unrecorded.
 */
export async function spendIfFree(
  stores: Pick<HomeStores, 'counters'>,
  tenant: Tenant,
  kind: AuthEventKind,
  now: number,
): Promise<boolean> {
  const spent: Charge[] = []
  for (const charge of chargesFor(tenant, kind, now)) {
    if ((await stores.counters.spend(charge.counter, 1, charge.limit)) === null) {
      for (const taken of spent) await stores.counters.release(taken.counter, 1)
      return false
    }
    spent.push(charge)
  }
  return true
}

export async function spendCharge(counters: CounterStore, charge: Charge): Promise<number> {
  const used = await counters.spend(charge.counter, 1, charge.limit)
  if (used === null) throw new OverLimit({ ...charge, limit: charge.limit ?? 0 })
  return used
}
