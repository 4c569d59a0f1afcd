/** The store of sessions. */

import type { Claims } from '@gatehouse-auth/contract'
import type { SessionId, UserId } from '../ids.ts'
import type { Session } from '../sessions/session.ts'
import type { Instant } from '../time.ts'
import type { Page, Resource } from './tenants.ts'

export interface SessionStore {
  start(resource: Resource, session: Omit<Session, 'id'>): Promise<Session>
  find(resource: Resource, sessionId: SessionId): Promise<Session | null>
  /** When the session began, and the claims of its user. */
  findClaims(
    resource: ResourceKey,
    sessionId: SessionId,
  ): Promise<{ readonly createdAt: Instant; readonly claims: Claims } | null>
  /** Moves `rotatedAt` for a late repeat, if generation and `rotatedAt` are still those of `session`; otherwise false. */
  reissue(resource: Resource, session: Session, lateUntil: Instant, now: Instant): Promise<boolean>
  /** Deletes the session and publishes a revocation; null if there is none. */
  end(resource: Resource, sessionId: SessionId, now: Instant): Promise<Session | null>
  /** Ends up to `limit` sessions of this user, by ascending id, as `end` does. Returns how many. */
  endOfUser(resource: Resource, userId: UserId, now: Instant, limit: number): Promise<number>
  /** Ends up to `limit` sessions of all users, as `endOfUser` does. Returns the user of each. */
  endOldest(resource: Resource, now: Instant, limit: number): Promise<UserId[]>
  /** The user's sessions that can still be refreshed, by ascending id, strictly after `after`. */
  ofUser(resource: Resource, userId: UserId, now: Instant, page: Page): Promise<Session[]>
  /** Sessions that can still be refreshed, the newest first. */
  active(resource: Resource, now: Instant, query: NewestSessions): Promise<ActiveSession[]>
  countActive(resource: Resource, now: Instant): Promise<number>
  /** Checks up to `limit` due sessions, deletes the expired ones, and returns how many it checked. */
  sweep(now: Instant, limit: number): Promise<number>
}

/** What a token says of its resource. */
type ResourceKey = Pick<Resource, 'id' | 'tenantId'>

export interface NewestSessions {
  /** Only older ones. */
  readonly before?: SessionId
  readonly limit: number
}

/** A session as the owner sees it. */
export interface ActiveSession {
  readonly id: SessionId
  readonly userId: UserId
  readonly email: string
  readonly createdAt: Instant
  readonly rotatedAt: Instant
}
