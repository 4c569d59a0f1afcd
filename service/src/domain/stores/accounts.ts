import type { Account, AccountSession, AccountSignIn, OwnerTier } from '../accounts/account.ts'
import type { Identity, MeSession, RemovalRequest } from '../accounts/person.ts'
import type {
  AccountId,
  AccountSessionId,
  AttemptId,
  ResourceId,
  SessionId,
  SignInId,
  TenantId,
  UserId,
} from '../ids.ts'
import type { Attempt, LoginOutcome, SameStart } from '../login/attempt.ts'
import type { Profile } from '../login/identity-provider.ts'
import type { LoginCode, NewLoginCode } from '../login/login-code.ts'
import type { SeenUser, User } from '../sessions/user.ts'
import type { Instant } from '../time.ts'
import type { Page, Resource } from './social-login.ts'

/** The stores of logins in progress, of edge sessions, and of accounts. */
export interface EdgeSessionStore {
  add(hash: string, tenantId: TenantId, expiresAt: Instant): Promise<void>
  find(hashes: readonly string[], now: Instant): Promise<{ tenantId: TenantId; expiresAt: Instant } | null>
  /** Deletes up to `limit` expired rows and returns how many. */
  sweep(now: Instant, limit: number): Promise<number>
}

/** Of an attempt that was found by its id before. */
type AttemptKey = Pick<Attempt, 'id' | 'tenantId'>

export interface AttemptStore {
  add(attempt: Attempt): Promise<void>
  find(id: AttemptId, now: Instant): Promise<Attempt | null>
  /** The newest attempt of the same start that is not decided. */
  findUndecided(same: SameStart, since: Instant): Promise<Attempt | null>
  /** The tenant of an attempt in any stage, expired or not. */
  tenantOf(id: AttemptId): Promise<TenantId | null>
  /** A start that it continues asks for no account chooser. False if the provider has redirected back meanwhile. */
  startWithoutChooser(attempt: AttemptKey): Promise<boolean>
  /** started → returned, once, before it expires; otherwise null. Outside a transaction, it may be lost as a start may. */
  take(id: AttemptId, now: Instant): Promise<Attempt | null>
  /** returned → identified. Outside a transaction, it may be lost as a start may (`TransactionOptions`). */
  identify(
    attempt: AttemptKey,
    identified: Pick<Attempt, 'remember'> & { readonly profile: Profile },
    now: Instant,
  ): Promise<boolean>
  /** identified → started, with another id and without the profile; false if it was decided already. */
  restart(attempt: AttemptKey, restarted: Pick<Attempt, 'id' | 'createdAt' | 'expiresAt'>): Promise<boolean>
  /**
   * returned or identified → decided, and erases the profile; false if it was decided already. Waits for a concurrent
   * decision, and keeps the row as long as the decision can be repeated.
   */
  decide(attempt: AttemptKey, outcome: LoginOutcome, now: Instant): Promise<boolean>
  /** Stores the session that the decision started, in its transaction. */
  setSession(attempt: AttemptKey, sessionId: SessionId): Promise<void>
  removeByTenant(tenantId: TenantId): Promise<void>
  sweep(now: Instant, limit: number): Promise<number>
}

/** The one-time codes of callbacks. */
export interface LoginCodeStore {
  add(resource: Resource, code: NewLoginCode): Promise<void>
  find(resource: Resource, hashes: readonly string[]): Promise<LoginCode | null>
  /** Counts a wrong verifier, and uses the code up at the `max`-th one. */
  countWrongVerifier(resource: Resource, hash: string, max: number, now: Instant): Promise<void>
  /** Once, before it expires; otherwise false. Waits for a concurrent use. */
  use(resource: Resource, hash: string, now: Instant): Promise<boolean>
  /** Stores the session that the exchange started, in its transaction. */
  setSession(resource: Resource, hash: string, sessionId: SessionId): Promise<void>
  removeByTenant(tenantId: TenantId): Promise<void>
  /** Deletes up to `limit` codes that expired before this time and returns how many. */
  sweep(before: Instant, limit: number): Promise<number>
}

export interface AccountStore {
  /** Finds or creates the account of this identity, and updates its e-mail address and name. Claims no tenant. */
  signIn(profile: Profile, now: Instant): Promise<Account>
  find(accountId: AccountId): Promise<Account | null>
  /** The same, locked until the transaction ends. */
  lock(accountId: AccountId): Promise<Account | null>
  /** For the operator. Several accounts can have had the same address. */
  findByEmail(email: string): Promise<Account[]>
  setTier(accountId: AccountId, tier: OwnerTier): Promise<void>
  setProjectLimit(accountId: AccountId, projects: number): Promise<void>
}

export interface NewAccountSession extends Pick<AccountSession, 'device' | 'createdAt' | 'expiresAt'> {
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
