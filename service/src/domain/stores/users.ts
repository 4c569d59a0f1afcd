import type { UserId } from '../ids.ts'
import type { Profile } from '../login/identity-provider.ts'
import type { KnownUser, NewUser, SeenUser, User, UserRecord } from '../sessions/user.ts'
import type { Instant } from '../time.ts'
import type { Page, Resource } from './social-login.ts'

/** The users of a tenant's app. */
export interface UserStore {
  /** (issuer, subject) identifies a user; e-mail address, name and picture can change. */
  findBySubject(resource: Resource, issuer: string, subject: string): Promise<KnownUser | null>
  /** The ids of a tenant's users count from 1 and are never reused, not even by its next resource. */
  insert(resource: Resource, profile: Profile, now: Instant): Promise<User>
  /** Inserts an imported user. */
  add(resource: Resource, user: NewUser): Promise<User>
  /** A sign-in. Conflicts if the user was blocked or deleted meanwhile, so that the transaction runs again. */
  update(resource: Resource, userId: UserId, profile: Profile, now: Instant): Promise<User>
  find(resource: Resource, userId: UserId): Promise<User | null>
  /** The same, locked until the transaction ends; null also if the user is blocked. */
  lockUnblocked(resource: Resource, userId: UserId): Promise<User | null>
  /** Ascending id, or descending with `newestFirst`, strictly after `after` in that order. */
  page(resource: Resource, query: UserQuery): Promise<SeenUser[]>
  findRecord(resource: Resource, userId: UserId): Promise<UserRecord | null>
  /** The same page, with everything that is stored about each user. */
  records(resource: Resource, query: UserQuery): Promise<UserRecord[]>
  count(resource: Resource, filter?: UserFilter): Promise<number>
  /** Blocks or unblocks (null). False if there is no such user. Locks the user until the transaction ends. */
  setBlocked(resource: Resource, userId: UserId, blockedAt: Instant | null): Promise<boolean>
  /** Replaces the metadata, if it still is `expected`; otherwise false. */
  setMetadata(resource: Resource, userId: UserId, metadata: string | null, expected: string | null): Promise<boolean>
  /** Deletes the user's row, its unfinished logins and its request to be removed. False if there is no such user. */
  remove(resource: Resource, userId: UserId): Promise<boolean>
}

export interface UserFilter {
  /** The whole e-mail address; ASCII letters match in either case. */
  readonly email?: string | undefined
  /** The start of the e-mail address or of the name, in either case. */
  readonly prefix?: string | undefined
  readonly blocked?: boolean | undefined
}

export interface UserQuery extends UserFilter, Page {
  /** `after` 0 then starts with the newest. */
  readonly newestFirst?: boolean | undefined
}
