/** The stores of tenants: keys, ownership, claims, counters, request records, feedback and refused sign-ins. */

import type { Claim, NewClaim } from '../claims/claim.ts'
import type { AccountId, ClaimId, TenantId } from '../ids.ts'
import type { Charges } from '../limits/allowance.ts'
import type { Counter, EventCounts, EventScopes, UsedCounts } from '../limits/counter.ts'
import type { RefusalCount } from '../login/refusal.ts'
import type { NewAction, RecordedAction } from '../tenants/audit.ts'
import type { Feedback, NewFeedback } from '../tenants/feedback.ts'
import type { OwnedTenant, PauseReason, Tenant } from '../tenants/tenant.ts'
import type { TenantKeyKind } from '../tenants/tenant-keys.ts'
import type { Instant } from '../time.ts'

export interface TenantStore {
  create(
    tenant: Tenant,
    keys: readonly { readonly kind: TenantKeyKind; readonly hash: string }[],
  ): Promise<void>
  find(tenantId: TenantId): Promise<Tenant | null>
  /** The unexpired key with one of these hashes (one per master key), and its tenant. */
  findByKey(hashes: readonly string[], now: Instant): Promise<FoundKey | null>
  /** The unexpired keys: those that were not replaced first, then the newest. */
  listKeys(tenantId: TenantId, now: Instant): Promise<TenantKey[]>
  /** Sets the last use of those that were not used since `before`. */
  touchKeys(hashes: readonly string[], usedAt: Instant, before: Instant): Promise<void>
  /** Pauses a guest that is not paused, and publishes a revocation; otherwise false. */
  pause(tenantId: TenantId, reason: PauseReason, now: Instant): Promise<boolean>
}

export interface FoundKey {
  readonly tenant: Tenant
  readonly kind: TenantKeyKind
  /** Issued while the tenant had an owner: created by the account, or replaced by the owner. A claim does not change it. */
  readonly issuedToOwner: boolean
  /** The start of its hash, which identifies it in the audit. */
  readonly id: string
  readonly hash: string
  /** To the hour; null: never. */
  readonly lastUsedAt: Instant | null
}

/** A key as its owner sees it: the key itself is known only to the key file. */
export interface TenantKey extends Pick<FoundKey, 'id' | 'kind' | 'issuedToOwner' | 'lastUsedAt'> {
  readonly createdAt: Instant
  /** null: it was not replaced. */
  readonly expiresAt: Instant | null
}

/** Claiming, ending and deleting tenants. */
export interface OwnershipStore {
  /**
   * Guest or paused → claimed, for the first approval before the expiry. Clears a pause and the expiry, and publishes a
   * revocation.
   */
  claim(tenantId: TenantId, accountId: AccountId, now: Instant): Promise<boolean>
  /** The last claimed first; without tenants that have ended. */
  ownedBy(accountId: AccountId): Promise<OwnedTenant[]>
  /** What the owner calls the project; null removes the name. */
  rename(tenantId: TenantId, name: string | null): Promise<void>
  /** Adds new keys, issued to the owner; the current ones work until `oldUntil`. */
  replaceKeys(
    tenantId: TenantId,
    keys: readonly { readonly kind: TenantKeyKind; readonly hash: string }[],
    oldUntil: Instant,
    now: Instant,
  ): Promise<void>
  /** How often the keys were replaced on the owner's pages, and when last. */
  keyGeneration(
    tenantId: TenantId,
  ): Promise<{ readonly generation: number; readonly since: Instant | null }>
  /** This generation → the next, once; otherwise false. Waits for a concurrent replacement. */
  endKeyGeneration(tenantId: TenantId, generation: number, now: Instant): Promise<boolean>
  /** Turns the tenant into a tombstone: a guest that expired, or a tenant that its owner deleted. */
  end(tenantId: TenantId, now: Instant): Promise<boolean>
  /** The same, only if it has expired: it may have been claimed meanwhile. */
  endOverdue(tenantId: TenantId, now: Instant): Promise<boolean>
  /** Expired guests that are not tombstones yet. */
  listOverdue(now: Instant, limit: number): Promise<Tenant[]>
  /** Tombstones older than this. */
  listTombstones(endedBefore: Instant, limit: number): Promise<TenantId[]>
  /** Deletes the tombstone, its keys and its counters. From then on the tenant is unknown. */
  purgeTenant(tenantId: TenantId): Promise<void>
  /** For the operator: ascending id, strictly after `after`. */
  page(after: string, limit: number): Promise<Tenant[]>
}

export interface ClaimStore {
  /** Adds a claim, supersedes the pending one of this tenant, and deletes those that expired more than an hour ago. */
  open(claim: NewClaim, tokenHash: string, waitHash: string): Promise<Claim>
  findByToken(hashes: readonly string[]): Promise<Claim | null>
  findByWaitToken(hashes: readonly string[]): Promise<Claim | null>
  /**
   * pending → decided, once, before it expires; otherwise false. Waits for a concurrent decision. Wakes the long polls of
   * the tenant. `decisionHash` identifies the decision if it is sent again.
   */
  decide(
    claimId: ClaimId,
    decision: 'approved' | 'denied',
    accountId: AccountId,
    now: Instant,
    decisionHash?: string,
  ): Promise<boolean>
  removeByTenant(tenantId: TenantId): Promise<void>
}

/** Idempotency keys of creations: a repeated call creates nothing (decision 29). */
export interface CreationStore {
  /** The tenant that was created under one of these scopes (one per master key). */
  find(scopes: readonly string[]): Promise<TenantId | null>
  /**
   * Takes the key for this tenant, in the transaction that creates it. Waits for a concurrent transaction that has taken
   * it: false if that one commits, true if it rolls back.
   */
  take(scope: string, tenantId: TenantId, now: Instant): Promise<boolean>
}

/** Sealed keys of tenants whose credentials can be downloaded again. Other tenants have no row. */
export interface CredentialsStore {
  add(tenantId: TenantId, sealed: Uint8Array, now: Instant): Promise<void>
  find(tenantId: TenantId): Promise<Uint8Array | null>
  /** Does nothing for a tenant without a row. */
  replace(tenantId: TenantId, sealed: Uint8Array, now: Instant): Promise<void>
  remove(tenantId: TenantId): Promise<void>
}

export interface EdgeSessionStore {
  add(hash: string, tenantId: TenantId, expiresAt: Instant): Promise<void>
  find(
    hashes: readonly string[],
    now: Instant,
  ): Promise<{ tenantId: TenantId; expiresAt: Instant } | null>
  /** Deletes up to `limit` expired rows and returns how many. */
  sweep(now: Instant, limit: number): Promise<number>
}

export interface RequestRecordStore {
  /** Called in batches, after the responses were sent. */
  append(records: readonly RequestRecord[]): Promise<void>
  /** The newest records of these tenants, strictly after `since`, the newest first. */
  recent(tenantIds: readonly TenantId[], since: Instant, limit: number): Promise<RequestRecord[]>
  /** Deletes records older than `before`, and all but the newest `keep` of each tenant. */
  sweep(before: Instant, keep: number, limit: number): Promise<number>
  removeByTenant(tenantId: TenantId): Promise<void>
}

/** One request to the control API, without its content. */
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
  /**
   * Appends, unless the tenant has `limit` entries that were created after `since`; then false. Two concurrent calls cannot
   * both take the last place.
   */
  append(
    feedback: NewFeedback,
    kept: { readonly since: Instant; readonly limit: number },
  ): Promise<boolean>
  /** When the tenant's oldest entry after `since` was created. */
  oldestAt(tenantId: TenantId, since: Instant): Promise<Instant | null>
  /** When a report of this account was last accepted for a discount. */
  lastAcceptedAt(accountId: AccountId): Promise<number | null>
  /** Ascending id, strictly after `after`; of one tenant, or of all. */
  page(after: number, limit: number, tenantId?: TenantId): Promise<Feedback[]>
  /** Returns how many entries were deleted. */
  remove(ids: readonly number[]): Promise<number>
  removeByTenant(tenantId: TenantId): Promise<number>
  /** Deletes entries that were created before this time. */
  sweep(createdBefore: Instant, limit: number): Promise<number>
}

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

/** The management actions on a tenant. */
export interface AuditStore {
  /** Numbered and written at the end of the transaction. Deletes the action that is `kept` older. */
  append(action: NewAction, kept: number): Promise<void>
  /** Ascending id, strictly after `after`. */
  page(tenantId: TenantId, after: number, limit: number): Promise<RecordedAction[]>
  /** The newest first. */
  recent(tenantId: TenantId, limit: number): Promise<RecordedAction[]>
  /** Deletes up to `limit` actions before this time and returns how many. */
  sweep(before: Instant, limit: number): Promise<number>
}

/** What the operator does about tenants of others. */
export interface ModerationStore {
  /** Suspends a tenant that is neither suspended nor ended, and publishes a revocation; otherwise false. */
  suspend(tenantId: TenantId, reason: string, now: Instant): Promise<boolean>
  /** Ends the suspension, and publishes that; false if the tenant is not suspended or has ended. */
  lift(tenantId: TenantId, now: Instant): Promise<boolean>
  /** Tenants by ascending id, strictly after `after`, tombstones included. */
  search(query: TenantSearch): Promise<Tenant[]>
}

interface TenantSearch {
  /** A part of the id, of a callback URL or of the owner's email address, or the owner's account id. */
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
