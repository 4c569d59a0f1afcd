import { type AuthEventKind, TIER_LIMITS } from '@gatehouse/contract'
import {
  type Charge,
  type Charges,
  chargesFor,
  countersFor,
  isUnauthenticated,
  isWithinShare,
  orderedCharges,
  partCounter,
  unauthenticatedShare,
} from '../../domain/limits/allowance.ts'
import type { Counter, CounterWindow } from '../../domain/limits/counter.ts'
import { OverLimit } from '../../domain/limits/over-limit.ts'
import { type Rate, rateLeft } from '../../domain/limits/rate.ts'
import type { CounterStore, TransactionStores } from '../../domain/stores/stores.ts'
import { type Tenant, tierOf } from '../../domain/tenants/tenant.ts'

/** Counts one event in its own transaction. Throws OverLimit, which rolls the transaction back. */
export async function spendAuthEvent(
  stores: Pick<TransactionStores, 'counters'>,
  tenant: Tenant,
  kind: AuthEventKind,
  now: number,
): Promise<Rate> {
  const spending = new Spending(stores.counters, tenant, kind, now)
  const exceeded = await spending.spend()
  if (exceeded !== null) throw new OverLimit(exceeded)
  return spending.minuteLeft()
}

/**
 * Counts one event if every limit allows it; otherwise counts nothing and returns false. For actions that no limit may
 * prevent, such as a logout: over the limit they are done but not recorded.
 */
export async function trySpendAuthEvent(
  stores: Pick<TransactionStores, 'counters'>,
  tenant: Tenant,
  kind: AuthEventKind,
  now: number,
): Promise<boolean> {
  const spending = new Spending(stores.counters, tenant, kind, now)
  if ((await spending.spend()) === null) return true
  await spending.release()
  return false
}

export async function spendCharge(counters: CounterStore, charge: Charge): Promise<number> {
  const used = await counters.spend(charge.counter, 1, charge.limit)
  if (used === null) throw new OverLimit(charge)
  return used
}

/** The counters that one event changes. */
class Spending {
  readonly #counters: CounterStore
  readonly #tenant: Tenant
  readonly #kind: AuthEventKind
  readonly #charges: Charges
  readonly #taken = new Map<CounterWindow, { readonly counter: Counter; readonly used: number }>()

  constructor(counters: CounterStore, tenant: Tenant, kind: AuthEventKind, now: number) {
    this.#counters = counters
    this.#tenant = tenant
    this.#kind = kind
    this.#charges = chargesFor(tenant, now)
  }

  /** Returns the first exceeded charge, or null. The counters stay changed either way: roll back or call `release`. */
  async spend(): Promise<Charge | null> {
    const counted = countersFor(this.#charges, this.#kind)
    for (const [at, used] of (await this.#counters.spendEach(counted)).entries()) {
      const counter = counted[at]?.counter
      if (counter !== undefined && used !== null) this.#taken.set(counter.window, { counter, used })
    }
    for (const charge of orderedCharges(this.#charges)) {
      const used = this.#used(charge.counter)
      if (used === null) return charge
      const share = await this.#exceededShare(charge, used)
      if (share !== null) return { ...charge, limit: share }
    }
    return null
  }

  async release(): Promise<void> {
    for (const { counter } of this.#taken.values()) await this.#counters.release(counter, 1)
  }

  minuteLeft(): Rate {
    const { minute } = this.#charges
    return rateLeft(minute, this.#used(minute.counter) ?? 0)
  }

  #used({ window }: Counter): number | null {
    return this.#taken.get(window)?.used ?? null
  }

  /**
   * The share of this limit for unauthenticated events, if this event exceeds it. The counter row of the whole limit is
   * locked until the commit, so the parts cannot change meanwhile.
   */
  async #exceededShare(charge: Charge, used: number): Promise<number | null> {
    const [open, finished] = [partCounter(charge, 'open'), partCounter(charge, 'finished')]
    if (!isUnauthenticated(this.#kind) || open === null || finished === null || charge.limit === null) return null
    // The finished logins matter only beyond the share, which most tenants never reach.
    const share = unauthenticatedShare(charge.limit)
    if (used <= share) return null
    const [done = 0] = await this.#counters.read([finished])
    const inProgress = TIER_LIMITS[tierOf(this.#tenant)].eventsPerMinute
    const counted = { used, limit: charge.limit, open: this.#used(open) ?? 0, finished: done, inProgress }
    return isWithinShare(counted) ? null : share
  }
}
