/** What is asked while somebody signs in, to an app or to their account, and about accounts. */

import type { Account, AccountSession, AccountSignIn, OwnerTier } from '../accounts/account.ts'
import type { AccountId, AccountSessionId, AttemptId, SignInId, TenantId } from '../ids.ts'
import type { Attempt } from '../login/attempt.ts'
import type { Profile } from '../login/identity-provider.ts'
import type { Instant } from '../time.ts'

export interface EdgeSessionStore {
  add(hash: string, tenantId: TenantId, expiresAt: Instant): Promise<void>
  find(hashes: readonly string[], now: Instant): Promise<{ tenantId: TenantId; expiresAt: Instant } | null>
  /** Removes what has expired, at most `limit` rows; how many went. */
  sweep(now: Instant, limit: number): Promise<number>
}

export interface AttemptStore {
  add(attempt: Attempt): Promise<void>
  find(id: AttemptId, now: Instant): Promise<Attempt | null>
  /** The newest login that this browser started for the same tenant and the same way back, not yet returned. */
  findStarted(
    same: Pick<Attempt, 'tenantId' | 'browserHash' | 'redirectUri' | 'returnTo'>,
    since: Instant,
  ): Promise<Attempt | null>
  /** started → returned; null when somebody was there first, or too late. */
  take(id: AttemptId, now: Instant): Promise<Attempt | null>
  /** returned → identified. */
  identify(id: AttemptId, profile: Profile, now: Instant): Promise<boolean>
  /** returned or identified → decided, forgetting who it was; false when it already was. */
  decide(id: AttemptId, now: Instant): Promise<boolean>
  removeByTenant(tenantId: TenantId): Promise<void>
  sweep(now: Instant, limit: number): Promise<number>
}

export interface AccountStore {
  /** Finds or makes the account of this person; e-mail and name follow the provider. Moves no tenant. */
  signIn(profile: Profile, now: Instant): Promise<Account>
  find(accountId: AccountId): Promise<Account | null>
  /** The same, held until the transaction ends, for what an account may do once. */
  lock(accountId: AccountId): Promise<Account | null>
  /** For the operator: more than one person may have had the same address. */
  findByEmail(email: string): Promise<Account[]>
  setTier(accountId: AccountId, tier: OwnerTier): Promise<void>
}

export interface AccountSessionStore {
  add(hash: string, accountId: AccountId, now: Instant, expiresAt: Instant): Promise<void>
  find(hashes: readonly string[], now: Instant): Promise<AccountSession | null>
  /** Used again: moves last use and expiry. */
  slide(sessionId: AccountSessionId, now: Instant, expiresAt: Instant): Promise<void>
  /** Newest use first. */
  listByAccount(accountId: AccountId, now: Instant): Promise<AccountSession[]>
  end(accountId: AccountId, sessionId: AccountSessionId): Promise<void>
  endAll(accountId: AccountId): Promise<void>
  sweep(now: Instant, limit: number): Promise<number>
}

export interface AccountSignInStore {
  add(signIn: AccountSignIn): Promise<void>
  /** Once, and in time. */
  take(id: SignInId, now: Instant): Promise<AccountSignIn | null>
  sweep(now: Instant, limit: number): Promise<number>
}
