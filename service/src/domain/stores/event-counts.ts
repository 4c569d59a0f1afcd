import type { TenantId } from '../ids.ts'
import type { Charges } from '../limits/allowance.ts'
import type { EventCounts, EventScopes, UsedCounts } from '../limits/event-counts.ts'
import type { Instant } from '../time.ts'

/** Counts the auth events of tenants and accounts. */
export interface EventCountStore {
  /**
   * Counts one event, or several of a kind that no limit rejects, by one statement, and returns the counts afterwards.
   * Throws OverLimit, which rolls the transaction back. Two concurrent calls cannot both take the last unit. Locks the
   * tenant's own row first; with 0 events it only locks.
   */
  add(charges: Charges, events?: number): Promise<EventCounts>
  /** In the minute and the month of this time. */
  read(scopes: EventScopes, now: Instant): Promise<UsedCounts>
  /**
   * The id of the tenant's newest event. Every event's transaction locks the row until its commit, so all events up to
   * this one are visible, and all later ones have higher ids.
   */
  lastEventId(tenantId: TenantId): Promise<number>
}
