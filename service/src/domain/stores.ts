/**
 * Everything the service asks of a database.
 *
 * Two groups. The *home* stores (tenants, keys, counters, logins in flight) live in one database. The *social-login*
 * stores live in the database of the profile the tenant was born on. Every question about a tenant's data names the
 * tenant. A store has no opinions: it does not know what a limit is, or which answer follows.
 */
import type { AuthEventKind, RuntimeProfile } from '@gatehouse/contract'
import type { Account, AccountSession, AccountSignIn, OwnerTier } from './accounts/account.ts'
import type { Claim, NewClaim } from './claims/claim.ts'
import type { AuthEvent, NewAuthEvent } from './events/auth-event.ts'
import type { Feedback, NewFeedback } from './feedback/feedback.ts'
import type { Counter, CounterScope } from './limits/counter.ts'
import type { Attempt } from './login/attempt.ts'
import type { Profile } from './login/identity-provider.ts'
import type { OAuthApprovalStore, OAuthCodeStore, OAuthGrantStore, OAuthTokenStore } from './oauth/oauth-stores.ts'
import type { Notice } from './revocation/notice.ts'
import type { Refresh, RefreshOutcome, Rotation } from './sessions/refresh.ts'
import type { Session } from './sessions/session.ts'
import type { User } from './sessions/user.ts'
import type { PauseReason, Tenant } from './tenants/tenant.ts'
import type { TenantKeyKind } from './tenants/tenant-keys.ts'

export interface Stores extends HomeStores {
  /** The social-login data of tenants born on this profile. Throws Unavailable when its engine is not attached. */
  on(profile: RuntimeProfile): SocialLoginStores
  /**
   * One transaction over the home stores and one profile's data: all of it happens, or none. When both live in one
   * database it is one transaction there; when they do not, the data commits inside the home transaction. What it
   * announces (notices, new events) reaches this process's memory after the commit and before the promise resolves.
   */
  atomically<T>(profile: RuntimeProfile, work: (stores: HomeStores & SocialLoginStores) => Promise<T>): Promise<T>
  /**
   * One refresh as a whole: the swap of generations, what it costs, the event, the notice. Apart from `atomically`,
   * because those who wait go together: on SQLite in one commit, on PostgreSQL in one statement.
   */
  refresh(refresh: Refresh): Promise<RefreshOutcome>
  /** As `atomically`, over the home stores alone. */
  atHome<T>(work: (stores: HomeStores) => Promise<T>): Promise<T>
  /** After a deletion: leave no trace of it in this profile's files, as far as the engine can (secure delete, WAL). */
  forgetDeleted(profile: RuntimeProfile): Promise<void>
  /** Removes notices that no token can need any more. */
  sweepNotices(now: number, limit: number): Promise<number>
  /** Does every attached database answer? Throws Unavailable when one does not. */
  ping(): Promise<void>
}

export interface HomeStores {
  readonly tenants: TenantStore
  readonly edgeSessions: EdgeSessionStore
  readonly attempts: AttemptStore
  readonly counters: CounterStore
  readonly ownership: OwnershipStore
  readonly accounts: AccountStore
  readonly accountSessions: AccountSessionStore
  readonly accountSignIns: AccountSignInStore
  readonly claims: ClaimStore
  readonly requestRecords: RequestRecordStore
  readonly feedback: FeedbackStore
  readonly creations: CreationStore
  readonly credentials: CredentialsStore
  readonly oauthApprovals: OAuthApprovalStore
  readonly oauthGrants: OAuthGrantStore
  readonly oauthCodes: OAuthCodeStore
  readonly oauthTokens: OAuthTokenStore
}

export interface SocialLoginStores {
  readonly resources: ResourceStore
  readonly users: UserStore
  readonly sessions: SessionStore
  readonly events: EventStore
}

export interface TenantStore {
  create(tenant: Tenant, keys: readonly { readonly kind: TenantKeyKind; readonly hash: string }[]): Promise<void>
  find(tenantId: string): Promise<Tenant | null>
  /** The tenant whose key has one of these hashes (one per master key in the ring), and what kind of key it is. */
  findByKey(hashes: readonly string[], now: number): Promise<{ tenant: Tenant; kind: TenantKeyKind } | null>
  /** Pauses an ephemeral tenant that is not paused yet; false when there was nothing to do. Announces the pause. */
  pause(tenantId: string, reason: PauseReason, now: number): Promise<boolean>
}

/** What ownership adds to it. */
export interface OwnershipStore {
  /**
   * Ephemeral or paused → claimed, for the first who approves before the end: one statement, so a second human and the
   * clock both lose. Lifts a pause and the expiry. Announces it.
   */
  claim(tenantId: string, accountId: number, now: number): Promise<boolean>
  /** Newest claim first, without those that have ended. */
  ownedBy(accountId: number): Promise<Tenant[]>
  /** New keys beside the old ones, which work until `oldUntil`. */
  replaceKeys(
    tenantId: string,
    keys: readonly { readonly kind: TenantKeyKind; readonly hash: string }[],
    oldUntil: number,
    now: number,
  ): Promise<void>
  /** The tenant is over: a guest whose time has come, or one its owner deleted. What is left is a tombstone. */
  end(tenantId: string, now: number): Promise<boolean>
  /** The same, only if its time really has come: whoever approved it a moment ago keeps it. */
  endOverdue(tenantId: string, now: number): Promise<boolean>
  /** Guests past their end that nobody has ended yet. */
  listOverdue(now: number, limit: number): Promise<Tenant[]>
  /** Tombstones older than this. */
  listTombstones(endedBefore: number, limit: number): Promise<string[]>
  /** The tombstone, its keys and its counters. From here on the tenant is unknown. */
  bury(tenantId: string): Promise<void>
  /** For the operator: ascending id, strictly after `after`. */
  page(after: string, limit: number): Promise<Tenant[]>
}

export interface EdgeSessionStore {
  add(hash: string, tenantId: string, expiresAt: number): Promise<void>
  find(hashes: readonly string[], now: number): Promise<{ tenantId: string; expiresAt: number } | null>
  /** Removes what has expired, at most `limit` rows; how many went. */
  sweep(now: number, limit: number): Promise<number>
}

export interface AttemptStore {
  add(attempt: Attempt): Promise<void>
  find(id: string, now: number): Promise<Attempt | null>
  /** The newest login that this browser started for the same tenant and the same way back, not yet returned. */
  findStarted(
    same: Pick<Attempt, 'tenantId' | 'browserHash' | 'redirectUri' | 'returnTo'>,
    since: number,
  ): Promise<Attempt | null>
  /** started → returned; null when somebody was there first, or too late. */
  take(id: string, now: number): Promise<Attempt | null>
  /** returned → identified. */
  identify(id: string, profile: Profile, now: number): Promise<boolean>
  /** returned or identified → decided, forgetting who it was; null when it already was. */
  decide(id: string, now: number): Promise<Attempt | null>
  removeOf(tenantId: string): Promise<void>
  sweep(now: number, limit: number): Promise<number>
}

export interface CounterStore {
  /** Adds `by` unless that would pass `limit`: one statement, so two at once cannot both take the last. null: refused. */
  spend(counter: Counter, by: number, limit: number | null): Promise<number | null>
  /** Takes back what is no longer held (stored users that were deleted). Never below zero. */
  release(counter: Counter, by: number): Promise<void>
  /** The used amount of each, in order; 0 when never counted. */
  read(counters: readonly Counter[]): Promise<number[]>
  /** Forgets minute windows that began before this moment. */
  sweep(startedBefore: number, limit: number): Promise<number>
  removeOf(scope: CounterScope): Promise<void>
}

/** One life of a tenant's social-login resource. Deleting and provisioning again makes another, with another id. */
export interface Resource {
  readonly id: number
  readonly tenantId: string
  /** Canonical callback URLs, in the order they were given. */
  readonly callbackUrls: readonly string[]
  readonly createdAt: number
  readonly updatedAt: number
}

export interface ResourceStore {
  findActive(tenantId: string): Promise<Resource | null>
  /** The same, held until the transaction ends, so that a deletion waits for us or we see it. */
  holdActive(tenantId: string): Promise<Resource | null>
  /** Replaces the callback list, or begins a resource when there is none. */
  provision(tenantId: string, callbackUrls: readonly string[], now: number): Promise<Resource>
  /** active → deleting: from here on nobody can read or write under it. Announces it to every instance. */
  markDeleted(tenantId: string, now: number): Promise<Resource | null>
  /** Resources whose data is still being removed. */
  listDeleting(limit: number): Promise<{ readonly id: number; readonly tenantId: string }[]>
  /** Removes up to `limit` rows of a deleted resource's data, and at last its own row. `rows` 0: it is gone. */
  purge(tenantId: string, resourceId: number, limit: number): Promise<{ readonly rows: number; readonly users: number }>
}

export interface UserStore {
  /** By (issuer, subject): a changed e-mail, name or picture updates the same user. */
  findBySubject(resource: Resource, issuer: string, subject: string): Promise<User | null>
  insert(resource: Resource, profile: Profile, now: number): Promise<User>
  update(resource: Resource, userId: number, profile: Profile, now: number): Promise<User>
  /** Moves last_seen; null when there is no such user. */
  touch(resource: Resource, userId: number, now: number): Promise<User | null>
  find(resource: Resource, userId: number): Promise<User | null>
  /** Ascending id, strictly after `after`. */
  page(resource: Resource, after: number, limit: number): Promise<User[]>
  /** The newest first. */
  recent(resource: Resource, limit: number): Promise<User[]>
  count(resource: Resource): Promise<number>
}

export interface SessionStore {
  start(resource: Resource, session: Omit<Session, 'id'>): Promise<Session>
  find(resource: Resource, sessionId: number): Promise<Session | null>
  /**
   * generation → generation + 1 for the one caller who still holds the current one: a single compare-and-swap, so of
   * any number at once exactly one wins. Announces that older generations are spent. null: not current, or expired.
   */
  rotate(resource: Resource, rotation: Rotation): Promise<Session | null>
  /** Removes the session and announces its end; null when it is already gone. */
  end(resource: Resource, sessionId: number, now: number): Promise<Session | null>
  /** Those that could still be refreshed, the last used first. */
  active(resource: Resource, now: number, limit: number): Promise<ActiveSession[]>
  countActive(resource: Resource, now: number): Promise<number>
  /** Removes sessions that expired, at most `limit`. */
  sweep(now: number, limit: number): Promise<number>
}

export interface EventStore {
  /** Announces it to whoever waits for this tenant's events. */
  append(resource: Resource, event: NewAuthEvent): Promise<AuthEvent>
  /** Ascending id, strictly after `after`. */
  page(resource: Resource, query: EventQuery): Promise<AuthEvent[]>
  /** The newest first, of those created after `since`. */
  recent(resource: Resource, since: number, limit: number): Promise<AuthEvent[]>
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
  readonly userId?: number
  readonly event?: AuthEventKind
}

/** What a committed transaction tells the process it ran in. */
export interface Announcements {
  readonly notices: readonly Notice[]
  /** Tenants that have new events. */
  readonly eventsOf: readonly string[]
}

// What follows belongs to ownership: accounts, claims, what owners see, feedback.

export interface AccountStore {
  /** Finds or makes the account of this person; e-mail and name follow the provider. Moves no tenant. */
  signIn(profile: Profile, now: number): Promise<Account>
  find(accountId: number): Promise<Account | null>
  /** The same, held until the transaction ends, for what an account may do once. */
  hold(accountId: number): Promise<Account | null>
  /** For the operator: more than one person may have had the same address. */
  findByEmail(email: string): Promise<Account[]>
  setTier(accountId: number, tier: OwnerTier): Promise<void>
}

export interface AccountSessionStore {
  add(hash: string, accountId: number, now: number, expiresAt: number): Promise<void>
  find(hashes: readonly string[], now: number): Promise<AccountSession | null>
  /** Used again: moves last use and expiry. */
  slide(sessionId: number, now: number, expiresAt: number): Promise<void>
  /** Newest use first. */
  listOf(accountId: number, now: number): Promise<AccountSession[]>
  end(accountId: number, sessionId: number): Promise<void>
  endAllOf(accountId: number): Promise<void>
  sweep(now: number, limit: number): Promise<number>
}

export interface AccountSignInStore {
  add(signIn: AccountSignIn): Promise<void>
  /** Once, and in time. */
  take(id: string, now: number): Promise<AccountSignIn | null>
  sweep(now: number, limit: number): Promise<number>
}

export interface ClaimStore {
  /** A new offer; whatever offer of this tenant was still open is superseded, and those of yesterday are forgotten. */
  open(claim: NewClaim, tokenHash: string, waitHash: string): Promise<Claim>
  findByToken(hashes: readonly string[]): Promise<Claim | null>
  findByWait(hashes: readonly string[]): Promise<Claim | null>
  /** pending → decided, by the first who decides in time; false for everybody after. Announces it. */
  decide(claimId: number, decision: 'approved' | 'denied', accountId: number, now: number): Promise<boolean>
  removeOf(tenantId: string): Promise<void>
}

/** Days as `2026-01-31`, in UTC. */
export interface DayTally {
  readonly day: string
  readonly event: AuthEventKind
  readonly count: number
}

/** What an owner sees of an app's own sessions. */
export interface ActiveSession {
  readonly id: number
  readonly userId: number
  readonly email: string
  readonly createdAt: number
  readonly rotatedAt: number
}

export interface RequestRecordStore {
  /** Several at once: they are written behind the answers, not before them. */
  append(records: readonly RequestRecord[]): Promise<void>
  /** Newest first, of any of these tenants, strictly after `since`. */
  recent(tenantIds: readonly string[], since: number, limit: number): Promise<RequestRecord[]>
  /** Forgets what is older than `before`, and all but the newest `keep` of each tenant. */
  sweep(before: number, keep: number, limit: number): Promise<number>
  removeOf(tenantId: string): Promise<void>
}

/** One request to the control API, without anything that was in it. */
export interface RequestRecord {
  readonly tenantId: string
  readonly at: number
  readonly method: string
  readonly route: string
  readonly status: number
  readonly ms: number
  readonly requestId: string
}

export interface FeedbackStore {
  /** Appended, never overwritten. */
  append(feedback: NewFeedback): Promise<void>
  /** When this account last had a report accepted for a discount. */
  lastAcceptedOf(accountId: number): Promise<number | null>
  /** Ascending id, strictly after `after`. */
  page(after: number, limit: number): Promise<Feedback[]>
}

/** What was created under a name of the caller's own choice, so that asking again creates nothing (decision 29). */
export interface CreationStore {
  /** The tenant that was created under one of these scopes: one for each master key in the ring. */
  find(scopes: readonly string[]): Promise<string | null>
  /**
   * Takes the name for this tenant, in the transaction that creates it. Waits for whoever is about to take it: false
   * when they did, and it is ours when they were undone.
   */
  take(scope: string, tenantId: string, now: number): Promise<boolean>
}

/** The keys of tenants whose credentials can be asked for again, sealed. Other tenants have none here. */
export interface CredentialsStore {
  add(tenantId: string, sealed: Uint8Array, now: number): Promise<void>
  find(tenantId: string): Promise<Uint8Array | null>
  /** For a tenant that has some; for another it does nothing. */
  replace(tenantId: string, sealed: Uint8Array, now: number): Promise<void>
  remove(tenantId: string): Promise<void>
}
