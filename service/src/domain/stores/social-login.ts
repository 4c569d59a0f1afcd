/** The stores of a tenant's social login. */

import type { AuthEventKind } from '@gatehouse/contract'
import type { AuthEvent, NewAuthEvent } from '../events/auth-event.ts'
import type { ResourceId, SessionId, TenantId, UserId } from '../ids.ts'
import type { Admission } from '../login/admission.ts'
import type { Profile } from '../login/identity-provider.ts'
import type { Session } from '../sessions/session.ts'
import type { User } from '../sessions/user.ts'
import type { Instant } from '../time.ts'

/** One generation of a tenant's social login. Deleting and provisioning again creates the next one, with another id. */
export interface Resource extends Admission {
  readonly id: ResourceId
  readonly tenantId: TenantId
  /** Canonical callback URLs, in the order they were given. */
  readonly callbackUrls: readonly string[]
  /** How long the previous refresh token returns the same pair without an Idempotency-Key. */
  readonly refreshLeewaySeconds: number
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

export type ResourceSettings = Partial<Pick<Resource, 'refreshLeewaySeconds' | keyof Admission>>

export interface ResourceStore {
  findActive(tenantId: TenantId): Promise<Resource | null>
  /** The same, locked until the transaction ends: a deletion waits for the transaction, or the transaction sees it. */
  lockActive(tenantId: TenantId): Promise<Resource | null>
  /** Replaces the callback list, or creates the resource if there is none. Other settings change only if they are given. */
  provision(
    tenantId: TenantId,
    callbackUrls: readonly string[],
    now: Instant,
    settings?: ResourceSettings,
  ): Promise<Resource>
  /** Changes the given settings, in one statement; null if there is no social login. */
  changeSettings(tenantId: TenantId, settings: ResourceSettings, now: Instant): Promise<Resource | null>
  /** active → deleting: from then on it can be neither read nor written. Publishes a revocation. */
  markDeleted(tenantId: TenantId, now: Instant): Promise<Resource | null>
  /** Resources whose rows are still being deleted. */
  listDeleting(limit: number): Promise<{ readonly id: ResourceId; readonly tenantId: TenantId }[]>
  /** Deletes up to `limit` rows of a deleted resource, its own row last. `rows` 0: there are none left. */
  purge(
    tenantId: TenantId,
    resourceId: ResourceId,
    limit: number,
  ): Promise<{ readonly rows: number; readonly users: number }>
}

export interface UserStore {
  /** (issuer, subject) identifies a user; e-mail address, name and picture can change. */
  findBySubject(resource: Resource, issuer: string, subject: string): Promise<User | null>
  /** The ids of a tenant's users count from 1 and are never reused, not even by its next resource. */
  insert(resource: Resource, profile: Profile, now: Instant): Promise<User>
  update(resource: Resource, userId: UserId, profile: Profile, now: Instant): Promise<User>
  find(resource: Resource, userId: UserId): Promise<User | null>
  /** Ascending id, strictly after `after`. */
  page(resource: Resource, after: number, limit: number): Promise<User[]>
  /** The newest first. */
  recent(resource: Resource, limit: number): Promise<User[]>
  count(resource: Resource): Promise<number>
}

export interface SessionStore {
  start(resource: Resource, session: Omit<Session, 'id'>): Promise<Session>
  find(resource: Resource, sessionId: SessionId): Promise<Session | null>
  /** Moves `rotatedAt` for a late repeat, if generation and `rotatedAt` are still those of `session`; otherwise false. */
  reissue(resource: Resource, session: Session, lateUntil: Instant, now: Instant): Promise<boolean>
  /** Deletes the session and publishes a revocation; null if there is none. */
  end(resource: Resource, sessionId: SessionId, now: Instant): Promise<Session | null>
  /** Sessions that can still be refreshed, the last used first. Searches only the newest ones. */
  active(resource: Resource, now: Instant, limit: number): Promise<ActiveSession[]>
  countActive(resource: Resource, now: Instant): Promise<number>
  /** Checks up to `limit` due sessions, deletes the expired ones, and returns how many it checked. */
  sweep(now: Instant, limit: number): Promise<number>
}

/** A session as the owner sees it. */
export interface ActiveSession {
  readonly id: SessionId
  readonly userId: UserId
  readonly email: string
  readonly createdAt: Instant
  readonly rotatedAt: Instant
}

export interface EventStore {
  /** `id` comes from the tenant's counter of event ids. Also wakes the long polls of this tenant. */
  append(resource: Resource, id: number, event: NewAuthEvent): Promise<void>
  /** Ascending id, strictly after `after`. */
  page(resource: Resource, query: EventQuery): Promise<AuthEvent[]>
  /** Those of these ids and kinds, by ascending id. */
  find(resource: Resource, ids: readonly number[], kinds: readonly AuthEventKind[]): Promise<AuthEvent[]>
  /** The newest first, of those created after `since`. */
  recent(resource: Resource, since: Instant, limit: number): Promise<AuthEvent[]>
  /**
   * The number of events per kind and day, from this day on (`''`: all). Reads the tallies plus the events after them, so
   * that a request never counts a year of history.
   */
  daily(resource: Resource, fromDay: string): Promise<DayTally[]>
  /** Adds up to `limit` events to the tallies and returns how many. */
  tally(resource: Resource, limit: number): Promise<number>
  /** Resources with events that are not tallied yet. */
  listUntallied(limit: number): Promise<Resource[]>
}

export interface EventQuery {
  readonly after: number
  readonly limit: number
  readonly userId?: UserId
  readonly event?: AuthEventKind
  /** Without `userId` and `event`: default all. */
  readonly kinds?: readonly AuthEventKind[]
}

/** Days as `2026-01-31`, in UTC. */
export interface DayTally {
  readonly day: string
  readonly event: AuthEventKind
  readonly count: number
}
