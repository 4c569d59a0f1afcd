/** The stores of the page `/me`, on which people see and remove their own data. */

import type { ResourceId, TenantId, UserId } from '../ids.ts'
import type { Identity, MeSession, RemovalRequest } from '../me/person.ts'
import type { SeenUser, User } from '../sessions/user.ts'
import type { Instant } from '../time.ts'
import type { Page, Resource } from './social-login.ts'

export interface MeSessionStore {
  add(hash: string, session: MeSession): Promise<void>
  find(hashes: readonly string[], now: Instant): Promise<MeSession | null>
  end(hashes: readonly string[]): Promise<void>
  sweep(now: Instant, limit: number): Promise<number>
}

/** A user of some app. */
export interface PersonUser {
  readonly tenantId: TenantId
  /** May be deleted, and its tenant may have ended: the caller checks. */
  readonly resourceId: ResourceId
  readonly user: SeenUser
}

export interface PersonStore {
  /** The users with this identity, the last seen first. Over all tenants: the only query that is about a person. */
  users(identity: Identity, page: { readonly offset: number; readonly limit: number }): Promise<PersonUser[]>
}

export interface RemovalStore {
  /** False if the user has asked before; the first request counts. */
  add(request: RemovalRequest): Promise<boolean>
  /** When the user asked; null: never. */
  requestedAt(resource: Resource, userId: UserId): Promise<Instant | null>
  /** False if there is none. */
  withdraw(resource: Resource, userId: UserId): Promise<boolean>
  /** By ascending user id, strictly after `after`. */
  page(
    resource: Resource,
    page: Page,
  ): Promise<(Pick<RemovalRequest, 'userId' | 'requestedAt'> & Pick<User, 'email'>)[]>
  /** Requested before this time, the oldest first. */
  listDue(before: Instant, limit: number): Promise<RemovalRequest[]>
}
