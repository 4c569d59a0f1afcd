/** What is asked about one tenant's social login. */

import type { AuthEventKind } from '@gatehouse/contract'
import type { AuthEvent, NewAuthEvent } from '../events/auth-event.ts'
import type { ResourceId, SessionId, TenantId, UserId } from '../ids.ts'
import type { Profile } from '../login/identity-provider.ts'
import type { Session } from '../sessions/session.ts'
import type { User } from '../sessions/user.ts'
import type { Instant } from '../time.ts'

/** One life of a tenant's social-login resource. Deleting and provisioning again makes another, with another id. */
export interface Resource {
  readonly id: ResourceId
  readonly tenantId: TenantId
  /** Canonical callback URLs, in the order they were given. */
  readonly callbackUrls: readonly string[]
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

export interface ResourceStore {
  findActive(tenantId: TenantId): Promise<Resource | null>
  /** The same, held until the transaction ends, so that a deletion waits for us or we see it. */
  lockActive(tenantId: TenantId): Promise<Resource | null>
  /** Replaces the callback list, or begins a resource when there is none. */
  provision(tenantId: TenantId, callbackUrls: readonly string[], now: Instant): Promise<Resource>
  /** active → deleting: from here on nobody can read or write under it. Announces it to every instance. */
  markDeleted(tenantId: TenantId, now: Instant): Promise<Resource | null>
  /** Resources whose data is still being removed. */
  listDeleting(limit: number): Promise<{ readonly id: ResourceId; readonly tenantId: TenantId }[]>
  /** Removes up to `limit` rows of a deleted resource's data, and at last its own row. `rows` 0: it is gone. */
  purge(
    tenantId: TenantId,
    resourceId: ResourceId,
    limit: number,
  ): Promise<{ readonly rows: number; readonly users: number }>
}

export interface UserStore {
  /** By (issuer, subject): a changed e-mail, name or picture updates the same user. */
  findBySubject(resource: Resource, issuer: string, subject: string): Promise<User | null>
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
  /** Removes the session and announces its end; null when it is already gone. */
  end(resource: Resource, sessionId: SessionId, now: Instant): Promise<Session | null>
  /** Of the newest sessions those that could still be refreshed, the last used first. */
  active(resource: Resource, now: Instant, limit: number): Promise<ActiveSession[]>
  countActive(resource: Resource, now: Instant): Promise<number>
  /** Looks at up to `limit` that are due, and removes those that expired; how many it looked at. */
  sweep(now: Instant, limit: number): Promise<number>
}

/** What an owner sees of an app's own sessions. */
export interface ActiveSession {
  readonly id: SessionId
  readonly userId: UserId
  readonly email: string
  readonly createdAt: Instant
  readonly rotatedAt: Instant
}

export interface EventStore {
  /** Announces it to whoever waits for this tenant's events. */
  append(resource: Resource, event: NewAuthEvent): Promise<AuthEvent>
  /** Ascending id, strictly after `after`. */
  page(resource: Resource, query: EventQuery): Promise<AuthEvent[]>
  /** The newest first, of those created after `since`. */
  recent(resource: Resource, since: Instant, limit: number): Promise<AuthEvent[]>
  /**
   * How many of each kind on each day, from this day on (`''`: ever). Read from tallies that are kept behind the
   * events, plus the few events that came since, so that a year of history is never counted while somebody waits.
   */
  daily(resource: Resource, fromDay: string): Promise<DayTally[]>
  /** Adds up to `limit` more events to the tallies; how many it was. */
  tally(resource: Resource, limit: number): Promise<number>
  /** Resources with events that no tally has yet. */
  listUntallied(limit: number): Promise<Resource[]>
}

export interface EventQuery {
  readonly after: number
  readonly limit: number
  readonly userId?: UserId
  readonly event?: AuthEventKind
}

/** Days as `2026-01-31`, in UTC. */
export interface DayTally {
  readonly day: string
  readonly event: AuthEventKind
  readonly count: number
}
