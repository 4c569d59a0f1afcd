/** The stores of what is counted against limits. */

import type { TenantId } from '../ids.ts'
import type { Charges } from '../limits/allowance.ts'
import type { Counter, EventCounts, EventScopes, UsedCounts } from '../limits/counter.ts'
import type { Instant } from '../time.ts'

export interface CounterStore {
  /** Adds `by` unless that would exceed `limit`; then null. Two concurrent calls cannot both take the last unit. */
  spend(counter: Counter, by: number, limit: number | null): Promise<number | null>
  /** The next id of a counter that numbers users or management actions. */
  nextId(counter: Counter): Promise<number>
  /** Subtracts, down to zero: for stored users that were deleted. */
  release(counter: Counter, by: number): Promise<void>
  /** Returns its value; 0 if there is no row. */
  remove(counter: Counter): Promise<number>
  /** Deletes minute and hour windows that began before this time. */
  sweep(startedBefore: Instant, limit: number): Promise<number>
}

/** Counts the auth events of tenants and accounts. */
export interface EventCountStore {
  /**
   * Counts one event, or several of a kind that no limit rejects, by one statement, and returns the counts afterwards.
   * Throws OverLimit, which rolls the transaction back. Two concurrent calls cannot both take the last unit. Locks the
   * tenant's own row first; with 0 events it only locks.
   */
  add(charges: Charges, events?: number): Promise<EventCounts>
  /** In the minute and the month of this time; with a tenant, also what else its status reports. */
  read(scopes: EventScopes, now: Instant, tenant?: ReportedTenant): Promise<UsedCounts>
  /**
   * The id of the tenant's newest event. Every event's transaction locks the row until its commit, so all events up to
   * this one are visible, and all later ones have higher ids.
   */
  lastEventId(tenantId: TenantId): Promise<number>
}

interface ReportedTenant {
  readonly tenantId: TenantId
  readonly refusedSince: Instant
}
