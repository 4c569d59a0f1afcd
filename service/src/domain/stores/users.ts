/** The stores of a tenant's social login. */

import type { AuthEventKind, Claims, IdTokenSettings } from '@gatehouse-auth/contract'
import type { Identity } from '../accounts/person.ts'
import type { AuthEvent, NewAuthEvent } from '../events/auth-event.ts'
import type { AttemptId, ResourceId, SessionId, TenantId, UserId } from '../ids.ts'
import type { Attempt, LoginOutcome, SameStart } from '../login/attempt.ts'
import type { Profile } from '../login/identity-provider.ts'
import type { Invitation, InvitationRef } from '../login/invitation.ts'
import type { CallbackMode, LoginCode, NewLoginCode } from '../login/login-code.ts'
import type { Admission } from '../login/profile.ts'
import type { ConsentKey, RememberedConsent } from '../login/remembered-consent.ts'
import type { Session } from '../sessions/session.ts'
import type { Instant } from '../time.ts'
import type { FoundUser, NewUser, SeenUser, User, UserIdentity, UserRecord } from '../users/user.ts'

/** One generation of a tenant's social login. Deleting and provisioning again creates the next one, with another id. */
export interface Resource extends Admission {
  readonly id: ResourceId
  readonly tenantId: TenantId
  /** Canonical callback URLs, in the order they were given. */
  readonly callbackUrls: readonly string[]
  /** How long the previous refresh token returns the same pair without an Idempotency-Key. */
  readonly refreshLeewaySeconds: number
  readonly callbackMode: CallbackMode
  /** Whether users may be asked for consent only once (remembered-consent.ts). Owned tenants only. */
  readonly rememberConsent: boolean
  /** Of a user who signs in while there is no other. */
  readonly firstUserClaims: Claims | null
  /** null: none are issued. */
  readonly idTokens: IdTokenSettings | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

export type ResourceSettings = Partial<
  Pick<
    Resource,
    | 'refreshLeewaySeconds'
    | 'callbackMode'
    | 'rememberConsent'
    | 'firstUserClaims'
    | 'idTokens'
    | keyof Admission
  >
>

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
  changeSettings(
    tenantId: TenantId,
    settings: ResourceSettings,
    now: Instant,
  ): Promise<Resource | null>
  /** active → deleting: from then on it can be neither read nor written. Publishes a revocation. */
  markDeleted(tenantId: TenantId, now: Instant): Promise<Resource | null>
  /** Resources whose rows are still being deleted. */
  listDeleting(limit: number): Promise<{ readonly id: ResourceId; readonly tenantId: TenantId }[]>
  /** How many rows of the tenant's deleted resources are left. 0: all are deleted. */
  countDeleting(tenantId: TenantId): Promise<number>
  /** Deletes up to `limit` rows of a deleted resource, its own row last. `rows` 0: there are none left. */
  purge(
    tenantId: TenantId,
    resourceId: ResourceId,
    limit: number,
  ): Promise<{ readonly rows: number; readonly users: number }>
}

/** Of a resource that a token names. */
type ResourceKey = Pick<Resource, 'id' | 'tenantId'>

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
  /** The same for the sessions of all users. Returns the user of each. */
  endOldest(resource: Resource, now: Instant, limit: number): Promise<UserId[]>
  /** The user's sessions that can still be refreshed, by ascending id, strictly after `after`. */
  ofUser(resource: Resource, userId: UserId, now: Instant, page: Page): Promise<Session[]>
  /** Sessions that can still be refreshed, the newest first. */
  active(resource: Resource, now: Instant, query: NewestSessions): Promise<ActiveSession[]>
  countActive(resource: Resource, now: Instant): Promise<number>
  /** Checks up to `limit` due sessions, deletes the expired ones, and returns how many it checked. */
  sweep(now: Instant, limit: number): Promise<number>
}

export interface Page {
  readonly after: number
  readonly limit: number
}

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
  /** The same, locked until the transaction ends; null also if the user is blocked. */
  lockUnblocked(resource: Resource, userId: UserId): Promise<User | null>
  /** Ascending id, or descending with `newestFirst`, strictly after `after` in that order. */
  page(resource: Resource, query: UserQuery): Promise<SeenUser[]>
  findRecord(resource: Resource, userId: UserId): Promise<UserRecord | null>
  /** The same page, with everything that is stored about each user. */
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

type NewIdentity = Omit<UserIdentity, 'pinned'>

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

/** Of an attempt that was found by its id before. */
type AttemptKey = Pick<Attempt, 'id' | 'tenantId'>

export interface AttemptStore {
  /** False if there is one with this id. */
  add(attempt: Attempt): Promise<boolean>
  /** Of the attempts that expire after this time. */
  find(id: AttemptId, after: Instant): Promise<Attempt | null>
  /** The newest attempt of the same start that is not decided. */
  findUndecided(same: SameStart, since: Instant): Promise<Attempt | null>
  /** A start that it continues asks for no account chooser. False if the provider has redirected back meanwhile. */
  startWithoutChooser(attempt: AttemptKey): Promise<boolean>
  /** started → returned, once, in time, with this client of its owner (null: of the operator); otherwise null. May be lost as a start may. */
  take(id: AttemptId, now: Instant, clientId?: Attempt['providerClientId']): Promise<Attempt | null>
  /** returned → identified. Outside a transaction, it may be lost as a start may (`TransactionOptions`). */
  identify(
    attempt: AttemptKey,
    identified: Pick<Attempt, 'remember' | 'hostedDomain'> & { readonly profile: Profile },
    now: Instant,
  ): Promise<boolean>
  /** identified → started, with another id and without the profile; false if it was decided already. */
  restart(
    attempt: AttemptKey,
    restarted: Pick<Attempt, 'id' | 'createdAt' | 'expiresAt'>,
  ): Promise<boolean>
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

/** The invitations of a tenant. */
export interface InvitationStore {
  /** False if the tenant has `limit` of them, in any state. */
  add(
    invitation: Omit<Invitation, 'used'> & { readonly hash: string },
    limit: number,
  ): Promise<boolean>
  find(invitation: InvitationRef): Promise<Invitation | null>
  /** By the hashes that the secret may be stored as. */
  findByHash(tenantId: TenantId, hashes: readonly string[]): Promise<Invitation | null>
  /** Counts a use, before it expires and unless it is used up; otherwise false. Waits for a concurrent use. */
  use(invitation: InvitationRef, now: Instant): Promise<boolean>
  /** The newest first. */
  list(tenantId: TenantId): Promise<Invitation[]>
  /** False if there is none. */
  remove(invitation: InvitationRef): Promise<boolean>
  removeByTenant(tenantId: TenantId): Promise<void>
  /** Deletes up to `limit` invitations that expired before this time and returns how many. */
  sweep(before: Instant, limit: number): Promise<number>
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
  /** Waits for a concurrent use. */
  removeUnused(resource: Resource, userId: UserId): Promise<void>
  removeByTenant(tenantId: TenantId): Promise<void>
  /** Deletes up to `limit` codes that expired before this time and returns how many. */
  sweep(before: Instant, limit: number): Promise<number>
}

/** The store of remembered consents. */
export interface ConsentStore {
  /** Replaces the consent of the same user, host, provider and browser. */
  remember(resource: Resource, consent: RememberedConsent): Promise<void>
  /** The newest of a browser, by the hashes that its cookie may be stored as. */
  find(
    resource: Resource,
    key: ConsentKey,
    browserHashes: readonly string[],
  ): Promise<Pick<RememberedConsent, 'brandHash' | 'at'> | null>
  /** Whether the user has a consent of this time or later. */
  hasAny(resource: Resource, userId: UserId, since: Instant): Promise<boolean>
  /** Deletes every consent of the user and returns how many. */
  forget(resource: Resource, userId: UserId): Promise<number>
  /** Deletes up to `limit` consents that are older than this time and returns how many. */
  sweep(before: Instant, limit: number): Promise<number>
}
