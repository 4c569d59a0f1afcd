/** The stores of users and of the identities of those who have several. */

import type { Claims } from '@gatehouse-auth/contract'
import type { Identity } from '../accounts/person.ts'
import type { UserId } from '../ids.ts'
import type { Profile } from '../login/identity-provider.ts'
import type { Instant } from '../time.ts'
import type { FoundUser, NewUser, SeenUser, User, UserIdentity, UserRecord } from '../users/user.ts'
import type { Page, Resource } from './tenants.ts'

/** The users of a tenant's app. */
export interface UserStore {
  /** (issuer, subject) identifies a user, who may have several; email address, name and picture can change. */
  findBySubject(resource: Resource, issuer: string, subject: string): Promise<FoundUser | null>
  /**
   * The ids of a tenant's users count from 1 and are never reused, not even by its next resource. A user who is the only one
   * gets `firstUserClaims`, below the claims of the invitation.
   */
  insert(
    resource: Resource,
    profile: Profile,
    now: Instant,
    browser?: string | null,
    claims?: Claims,
  ): Promise<User>
  /** Inserts an imported user. */
  add(resource: Resource, user: NewUser): Promise<User>
  /** A sign-in. Conflicts if the user was blocked or deleted meanwhile, so that the transaction runs again. */
  update(
    resource: Resource,
    userId: UserId,
    profile: Profile,
    now: Instant,
    browserHash?: string | null,
  ): Promise<User>
  find(resource: Resource, userId: UserId): Promise<User | null>
  /** As `find`, locked until the transaction ends; null also if the user is blocked. */
  lockUnblocked(resource: Resource, userId: UserId): Promise<User | null>
  /** Ascending id, or descending with `newestFirst`, strictly after `after` in that order. */
  page(resource: Resource, query: UserQuery): Promise<SeenUser[]>
  findRecord(resource: Resource, userId: UserId): Promise<UserRecord | null>
  /** As `page`, with everything that is stored about each user. */
  records(resource: Resource, query: UserQuery): Promise<UserRecord[]>
  /** `most`: counts no further. */
  count(resource: Resource, filter?: UserFilter, most?: number): Promise<number>
  /** Blocks or unblocks (null). False if there is no such user. Locks the user until the transaction ends. */
  setBlocked(resource: Resource, userId: UserId, blockedAt: Instant | null): Promise<boolean>
  /** Replaces the metadata, if it still is `expected` (undefined: whatever it is); otherwise false. */
  setMetadata(
    resource: Resource,
    userId: UserId,
    metadata: string | null,
    expected?: string | null,
  ): Promise<boolean>
  /** Replaces the claims. False if there is no such user. Locks the user until the transaction ends. */
  setClaims(resource: Resource, userId: UserId, claims: Claims): Promise<boolean>
  /** Deletes the user's row, its identities, its unfinished logins and its request to be removed. False if there is no such user. */
  remove(resource: Resource, userId: UserId): Promise<boolean>
}

/** The identities of users who have several. Every change locks the user before the identities, until the transaction ends. */
export interface IdentityStore {
  /**
   * A sign-in of a user who has several, after the update of the user. Returns the profile that the owner pinned if it is of
   * another identity; otherwise null.
   */
  signIn(
    resource: Resource,
    userId: UserId,
    profile: Profile,
    now: Instant,
  ): Promise<Profile | null>
  /** False if a user has this identity. A concurrent sign-in or import cannot create one with it. */
  add(resource: Resource, userId: UserId, identity: NewIdentity): Promise<boolean>
  /** The user is then shown with the pinned profile or the latest. False if the user hasn't this one, or no other. */
  remove(resource: Resource, userId: UserId, identity: Identity): Promise<boolean>
  /** Shows the user with the profile of this identity, or (null) of the one that signs in. False as above. */
  pin(resource: Resource, userId: UserId, identity: Identity | null): Promise<boolean>
  /** Locks these users until the transaction ends, so that what it reads of them from now on stays true. */
  lock(resource: Resource, userIds: readonly UserId[]): Promise<void>
  /** Gives all identities of one user, none of them pinned, to another. Both are locked. */
  move(resource: Resource, from: UserId, into: UserId): Promise<void>
}

export type NewIdentity = Omit<UserIdentity, 'pinned'>

export interface UserFilter {
  /** The whole email address; ASCII letters match in either case. */
  readonly email?: string | undefined
  /** The start of the email address or of the name, in either case. */
  readonly prefix?: string | undefined
  /** Any part of either. A statement reads every user that it doesn't leave out otherwise. */
  readonly part?: string | undefined
  readonly blocked?: boolean | undefined
}

export interface UserQuery extends UserFilter, Page {
  /** `after` 0 then starts with the newest. */
  readonly newestFirst?: boolean | undefined
  /** The lowest id of the page. */
  readonly from?: number | undefined
  /** Instead of the id. `after` then is the number of users before the page. Sorts all matches. */
  readonly order?: UserOrder | undefined
}

export type UserOrder = 'last-seen' | 'first-seen' | 'name'
