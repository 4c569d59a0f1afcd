/** The stores of logins: attempts, one-time codes, remembered consents, invitations and refused sign-ins. */

import type { AttemptId, SessionId, TenantId, UserId } from '../ids.ts'
import type { Attempt, LoginOutcome, SameStart } from '../login/attempt.ts'
import type { Profile } from '../login/identity-provider.ts'
import type { Invitation, InvitationRef } from '../login/invitation.ts'
import type { LoginCode, NewLoginCode } from '../login/login-code.ts'
import type { RefusalCount } from '../login/refusal.ts'
import type { ConsentKey, RememberedConsent } from '../login/remembered-consent.ts'
import type { Instant } from '../time.ts'
import type { Resource } from './tenants.ts'

export interface AttemptStore {
  /** False if there is one with this id. */
  add(attempt: Attempt): Promise<boolean>
  /** Only an attempt that expires after this time. */
  find(id: AttemptId, after: Instant): Promise<Attempt | null>
  /** The newest attempt of the same start that is not decided. */
  findUndecided(same: SameStart, since: Instant): Promise<Attempt | null>
  /** A start that it continues asks for no account chooser. False if the provider has redirected back meanwhile. */
  startWithoutChooser(attempt: AttemptKey): Promise<boolean>
  /**
   * Moves a started, unexpired attempt to returned, once, and only for this client of its owner (null: of the operator).
   * Otherwise null. The write may be lost as a start may.
   */
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

/** Names an attempt that was found by its id before. */
type AttemptKey = Pick<Attempt, 'id' | 'tenantId'>

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

/** Refused sign-ins, counted by kind. */
export interface RefusalStore {
  /** Adds to the counts, and keeps the newest kinds of each tenant. Counts from before `since` start again. */
  add(refusals: readonly RefusalCount[], since: Instant, kept: number): Promise<void>
  /** The newest first. */
  list(tenantId: TenantId, since: Instant, limit: number): Promise<RefusalCount[]>
  removeByTenant(tenantId: TenantId): Promise<void>
  /** Deletes up to `limit` counts from before this time and returns how many. */
  sweep(before: Instant, limit: number): Promise<number>
}
