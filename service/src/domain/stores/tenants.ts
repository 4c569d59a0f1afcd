/** The stores of tenants: their social login, keys, ownership, moderation, request records, feedback and audit. */

import type { Claims, IdTokenSettings } from '@gatehouse-auth/contract'
import type { AccountId, ResourceId, TenantId } from '../ids.ts'
import type { CallbackMode } from '../login/login-code.ts'
import type { Admission } from '../login/profile.ts'
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

/** One generation of a tenant's social login. Deleting and provisioning again creates the next one, with another id. */
export interface Resource extends Admission {
  readonly id: ResourceId
  readonly tenantId: TenantId
  /** Canonical callback URLs, in the order they were given. */
  readonly callbackUrls: readonly string[]
  /** How long the previous refresh token returns the same pair without an Idempotency-Key. */
  readonly refreshLeewaySeconds: number
  readonly callbackMode: CallbackMode
  /** Whether users may be asked for consent only once (remembered-consent.ts). Owned tenants only. */
  readonly rememberConsent: boolean
  /** The claims of a user who signs in while there is no other. */
  readonly firstUserClaims: Claims | null
  /** null: none are issued. */
  readonly idTokens: IdTokenSettings | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

export type ResourceSettings = Partial<
  Pick<
    Resource,
    | 'refreshLeewaySeconds'
    | 'callbackMode'
    | 'rememberConsent'
    | 'firstUserClaims'
    | 'idTokens'
    | keyof Admission
  >
>

export interface ResourceStore {
  findActive(tenantId: TenantId): Promise<Resource | null>
  /** As `findActive`, locked until the transaction ends: a deletion waits for the transaction, or the transaction sees it. */
  lockActive(tenantId: TenantId): Promise<Resource | null>
  /** Replaces the callback list, or creates the resource if there is none. Other settings change only if they are given. */
  provision(
    tenantId: TenantId,
    callbackUrls: readonly string[],
    now: Instant,
    settings?: ResourceSettings,
  ): Promise<Resource>
  /** Changes the given settings, in one statement; null if there is no social login. */
  changeSettings(
    tenantId: TenantId,
    settings: ResourceSettings,
    now: Instant,
  ): Promise<Resource | null>
  /** active → deleting: from then on it can be neither read nor written. Publishes a revocation. */
  markDeleted(tenantId: TenantId, now: Instant): Promise<Resource | null>
  /** Resources whose rows are still being deleted. */
  listDeleting(limit: number): Promise<{ readonly id: ResourceId; readonly tenantId: TenantId }[]>
  /** How many rows of the tenant's deleted resources are left. 0: all are deleted. */
  countDeleting(tenantId: TenantId): Promise<number>
  /** Deletes up to `limit` rows of a deleted resource, its own row last. `rows` 0: there are none left. */
  purge(
    tenantId: TenantId,
    resourceId: ResourceId,
    limit: number,
  ): Promise<{ readonly rows: number; readonly users: number }>
}

export interface Page {
  readonly after: number
  readonly limit: number
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
  /** As `end`, only if it has expired: it may have been claimed meanwhile. */
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
