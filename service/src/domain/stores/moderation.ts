import type { TenantId } from '../ids.ts'
import type { Tenant } from '../tenants/tenant.ts'
import type { Instant } from '../time.ts'

/** What the operator does about tenants of others. */
export interface ModerationStore {
  /** Suspends a tenant that is neither suspended nor ended, and publishes a revocation; otherwise false. */
  suspend(tenantId: TenantId, reason: string, now: Instant): Promise<boolean>
  /** Ends the suspension, and publishes that; false if the tenant is not suspended or has ended. */
  lift(tenantId: TenantId, now: Instant): Promise<boolean>
  /** Tenants by ascending id, strictly after `after`, tombstones included. */
  search(query: TenantSearch): Promise<Tenant[]>
}

export interface TenantSearch {
  /** A part of the id, of a callback URL or of the owner's e-mail address, or the owner's account id. */
  readonly text: string
  readonly after: string
  readonly limit: number
}

/** Hosts that no callback URL may have, of any tenant. A block includes the names below the host. */
export interface BlockedHostStore {
  /** False if it was blocked already; then the first reason stays. */
  add(host: string, reason: string, now: Instant): Promise<boolean>
  /** False if it was not blocked. */
  remove(host: string): Promise<boolean>
  /** The first of these hosts that is blocked. */
  findAny(hosts: readonly string[]): Promise<string | null>
  /** By ascending host. */
  list(): Promise<BlockedHost[]>
}

export interface BlockedHost {
  readonly host: string
  readonly reason: string
  readonly blockedAt: Instant
}
