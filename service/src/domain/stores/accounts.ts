/** The stores of owners and of the people who use apps. */

import type { Account, AccountSession, AccountSignIn, OwnerTier } from '../accounts/account.ts'
import type { Identity, MeSession, RemovalRequest } from '../accounts/person.ts'
import type { AccountId, AccountSessionId, ResourceId, SignInId, TenantId, UserId } from '../ids.ts'
import type { Profile } from '../login/identity-provider.ts'
import type { Instant } from '../time.ts'
import type { SeenUser, User } from '../users/user.ts'
import type { Page, Resource } from './tenants.ts'

export interface AccountStore {
  /** Finds or creates the account of this identity, and updates its email address and name. Claims no tenant. */
  signIn(profile: Profile, now: Instant): Promise<Account>
  find(accountId: AccountId): Promise<Account | null>
  /** As `find`, locked until the transaction ends. */
  lock(accountId: AccountId): Promise<Account | null>
  /** For the operator. Several accounts can have had the same address. */
  findByEmail(email: string): Promise<Account[]>
  setTier(accountId: AccountId, tier: OwnerTier): Promise<void>
  setProjectLimit(accountId: AccountId, projects: number): Promise<void>
}

export interface NewAccountSession
  extends Pick<AccountSession, 'device' | 'createdAt' | 'expiresAt'> {
  readonly hash: string
  readonly accountId: AccountId
}

export interface AccountSessionStore {
  add(session: NewAccountSession): Promise<void>
  find(hashes: readonly string[], now: Instant): Promise<AccountSession | null>
  /** Moves last use and expiry. */
  slide(sessionId: AccountSessionId, now: Instant, expiresAt: Instant): Promise<void>
  /** The last used first. */
  listByAccount(accountId: AccountId, now: Instant): Promise<AccountSession[]>
  end(accountId: AccountId, sessionId: AccountSessionId): Promise<void>
  endAll(accountId: AccountId): Promise<void>
  sweep(now: Instant, limit: number): Promise<number>
}

export interface AccountSignInStore {
  add(signIn: AccountSignIn): Promise<void>
  /** Returns it once, before it expires; otherwise null. */
  take(id: SignInId, now: Instant): Promise<AccountSignIn | null>
  sweep(now: Instant, limit: number): Promise<number>
}

/** The stores of the page `/me`, on which people see and remove their own data. */
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
  users(
    identity: Identity,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<PersonUser[]>
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
