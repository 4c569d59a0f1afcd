/** What is asked about tenants: their keys and owners, claims, counters, and what is written down about them. */

import type { AccountId, ClaimId, TenantId } from '../ids.ts'
import type { Counter, CounterScope } from '../limits/counter.ts'
import type { Claim, NewClaim } from '../tenants/claim.ts'
import type { Feedback, NewFeedback } from '../tenants/feedback.ts'
import type { PauseReason, Tenant } from '../tenants/tenant.ts'
import type { TenantKeyKind } from '../tenants/tenant-keys.ts'
import type { Instant } from '../time.ts'

export interface TenantStore {
  create(tenant: Tenant, keys: readonly { readonly kind: TenantKeyKind; readonly hash: string }[]): Promise<void>
  find(tenantId: TenantId): Promise<Tenant | null>
  /** The tenant whose key has one of these hashes (one per master key in the ring), and what kind of key it is. */
  findByKey(hashes: readonly string[], now: Instant): Promise<{ tenant: Tenant; kind: TenantKeyKind } | null>
  /** Pauses an ephemeral tenant that is not paused yet; false when there was nothing to do. Announces the pause. */
  pause(tenantId: TenantId, reason: PauseReason, now: Instant): Promise<boolean>
}

/** What ownership adds to it. */
export interface OwnershipStore {
  /**
   * Ephemeral or paused → claimed, for the first who approves before the end: one statement, so a second human and the
   * clock both lose. Lifts a pause and the expiry. Announces it.
   */
  claim(tenantId: TenantId, accountId: AccountId, now: Instant): Promise<boolean>
  /** Newest claim first, without those that have ended. */
  ownedBy(accountId: AccountId): Promise<Tenant[]>
  /** New keys beside the old ones, which work until `oldUntil`. */
  replaceKeys(
    tenantId: TenantId,
    keys: readonly { readonly kind: TenantKeyKind; readonly hash: string }[],
    oldUntil: Instant,
    now: Instant,
  ): Promise<void>
  /** The tenant is over: a guest whose time has come, or one its owner deleted. What is left is a tombstone. */
  end(tenantId: TenantId, now: Instant): Promise<boolean>
  /** The same, only if its time really has come: whoever approved it a moment ago keeps it. */
  endOverdue(tenantId: TenantId, now: Instant): Promise<boolean>
  /** Guests past their end that nobody has ended yet. */
  listOverdue(now: Instant, limit: number): Promise<Tenant[]>
  /** Tombstones older than this. */
  listTombstones(endedBefore: Instant, limit: number): Promise<TenantId[]>
  /** The tombstone, its keys and its counters. From here on the tenant is unknown. */
  purgeTenant(tenantId: TenantId): Promise<void>
  /** For the operator: ascending id, strictly after `after`. */
  page(after: string, limit: number): Promise<Tenant[]>
}

export interface ClaimStore {
  /** A new offer; whatever offer of this tenant was still open is superseded, and those of yesterday are forgotten. */
  open(claim: NewClaim, tokenHash: string, waitHash: string): Promise<Claim>
  findByToken(hashes: readonly string[]): Promise<Claim | null>
  findByWaitToken(hashes: readonly string[]): Promise<Claim | null>
  /** pending → decided, by the first who decides in time; false for everybody after. Announces it. */
  decide(claimId: ClaimId, decision: 'approved' | 'denied', accountId: AccountId, now: Instant): Promise<boolean>
  removeByTenant(tenantId: TenantId): Promise<void>
}

/** What was created under a name of the caller's own choice, so that asking again creates nothing (decision 29). */
export interface CreationStore {
  /** The tenant that was created under one of these scopes: one for each master key in the ring. */
  find(scopes: readonly string[]): Promise<TenantId | null>
  /**
   * Takes the name for this tenant, in the transaction that creates it. Waits for whoever is about to take it: false
   * when they did, and it is ours when they were undone.
   */
  take(scope: string, tenantId: TenantId, now: Instant): Promise<boolean>
}

/** The keys of tenants whose credentials can be asked for again, sealed. Other tenants have none here. */
export interface CredentialsStore {
  add(tenantId: TenantId, sealed: Uint8Array, now: Instant): Promise<void>
  find(tenantId: TenantId): Promise<Uint8Array | null>
  /** For a tenant that has some; for another it does nothing. */
  replace(tenantId: TenantId, sealed: Uint8Array, now: Instant): Promise<void>
  remove(tenantId: TenantId): Promise<void>
}

export interface RequestRecordStore {
  /** Several at once: they are written behind the answers, not before them. */
  append(records: readonly RequestRecord[]): Promise<void>
  /** Newest first, of any of these tenants, strictly after `since`. */
  recent(tenantIds: readonly TenantId[], since: Instant, limit: number): Promise<RequestRecord[]>
  /** Forgets what is older than `before`, and all but the newest `keep` of each tenant. */
  sweep(before: Instant, keep: number, limit: number): Promise<number>
  removeByTenant(tenantId: TenantId): Promise<void>
}

/** One request to the control API, without anything that was in it. */
export interface RequestRecord {
  readonly tenantId: TenantId
  readonly at: number
  readonly method: string
  readonly route: string
  readonly status: number
  readonly ms: number
  readonly requestId: string
}

export interface FeedbackStore {
  /** Appended, never overwritten. */
  append(feedback: NewFeedback): Promise<void>
  /** When this account last had a report accepted for a discount. */
  lastAcceptedAt(accountId: AccountId): Promise<number | null>
  /** Ascending id, strictly after `after`. */
  page(after: number, limit: number): Promise<Feedback[]>
}

export interface CounterStore {
  /** Adds `by` unless that would pass `limit`: one statement, so two at once cannot both take the last. null: refused. */
  spend(counter: Counter, by: number, limit: number | null): Promise<number | null>
  /**
   * One more of each, each up to its own limit: one statement for all that an event costs. They are of different windows,
   * and taken in this order. null: that one was refused; the others are counted all the same.
   */
  spendEach(
    charges: readonly { readonly counter: Counter; readonly limit: number | null }[],
  ): Promise<(number | null)[]>
  /** Takes back what is no longer held (stored users that were deleted). Never below zero. */
  release(counter: Counter, by: number): Promise<void>
  /** The used amount of each, in order; 0 when never counted. */
  read(counters: readonly Counter[]): Promise<number[]>
  /** Forgets minute windows that began before this moment. */
  sweep(startedBefore: Instant, limit: number): Promise<number>
  removeScope(scope: CounterScope): Promise<void>
}
