/** The store of the history. */

import type { AuthEventKind } from '@gatehouse-auth/contract'
import type { AuthEvent, NewAuthEvent } from '../events/auth-event.ts'
import type { UserId } from '../ids.ts'
import type { Instant } from '../time.ts'
import type { Resource } from './tenants.ts'

export interface EventStore {
  /** `id` comes from the tenant's counter of event ids. Also wakes the long polls of this tenant. */
  append(resource: Resource, id: number, event: NewAuthEvent): Promise<void>
  /** Ascending id, strictly after `after`. */
  page(resource: Resource, query: EventQuery): Promise<AuthEvent[]>
  /** Those of these ids and kinds, by ascending id. */
  find(
    resource: Resource,
    ids: readonly number[],
    kinds: readonly AuthEventKind[],
  ): Promise<AuthEvent[]>
  /** How many of these kinds are in a range of ids, counted up to `limit`. */
  count(
    resource: Resource,
    range: Required<Pick<EventQuery, 'after' | 'limit' | 'kinds'>> & { until: number },
  ): Promise<number>
  /** The newest first, with ids below `before` (default: all). */
  newest(resource: Resource, query: NewestEvents): Promise<AuthEvent[]>
  /** The newest first, of those created after `since`. */
  recent(resource: Resource, since: Instant, limit: number): Promise<AuthEvent[]>
  /**
   * The number of events per kind and day, from this day on (`''`: all). Reads the tallies plus the events after them, so
   * that a request never counts a year of history.
   */
  daily(resource: Resource, fromDay: string): Promise<DayTally[]>
  /** Adds up to `limit` events to the tallies and returns how many. */
  tally(resource: Resource, limit: number): Promise<number>
  /**
   * Removes user id, email address and `return_to` from up to `limit` events of a user, and returns how many. The events
   * themselves stay: they were counted.
   */
  anonymize(resource: Resource, userId: UserId, limit: number): Promise<number>
  /** Appends events with consecutive ids, the first of which is `firstId`. */
  appendAll(resource: Resource, firstId: number, events: readonly NewAuthEvent[]): Promise<void>
  /** Resources with events that are not tallied yet. */
  listUntallied(limit: number): Promise<Resource[]>
  /** Resources with events from before `before`. */
  listOlder(before: Instant, limit: number): Promise<Resource[]>
  /** Removes up to `limit` events from before `before`, the oldest first, and returns how many. Only tallied ones. */
  removeOlder(resource: Resource, before: Instant, limit: number): Promise<number>
}

export interface EventQuery {
  readonly after: number
  readonly limit: number
  readonly userId?: UserId
  readonly event?: AuthEventKind
  /** Without `userId` and `event`: default all. */
  readonly kinds?: readonly AuthEventKind[]
}

export interface NewestEvents extends Pick<EventQuery, 'limit' | 'userId' | 'event'> {
  readonly before?: number
}

/** Days as `2026-01-31`, in UTC. */
export interface DayTally {
  readonly day: string
  readonly event: AuthEventKind
  readonly count: number
}
