import type { TenantId } from '../ids.ts'
import type { RefusalCount } from '../refusals/refusal.ts'
import type { Instant } from '../time.ts'

/** Refused sign-ins, counted by kind. */
export interface RefusalStore {
  /** Adds to the counts, and keeps the newest kinds of each tenant. Counts from before `since` start again. */
  add(refusals: readonly RefusalCount[], since: Instant, kept: number): Promise<void>
  /** The newest first. */
  list(tenantId: TenantId, since: Instant, limit: number): Promise<RefusalCount[]>
  removeByTenant(tenantId: TenantId): Promise<void>
  /** Deletes up to `limit` counts from before this time and returns how many. */
  sweep(before: Instant, limit: number): Promise<number>
}
