/** What is asked while somebody signs in, to an app or to their account, and about accounts. */

import type { Account, AccountSession, AccountSignIn, OwnerTier } from './accounts/account.ts'
import type { AccountId, AccountSessionId, AttemptId, SignInId, TenantId } from './ids.ts'
import type { Attempt } from './login/attempt.ts'
import type { Profile } from './login/identity-provider.ts'

export interface EdgeSessionStore {
  add(hash: string, tenantId: TenantId, expiresAt: number): Promise<void>
  find(hashes: readonly string[], now: number): Promise<{ tenantId: TenantId; expiresAt: number } | null>
  /** Removes what has expired, at most `limit` rows; how many went. */
  sweep(now: number, limit: number): Promise<number>
}

export interface AttemptStore {
  add(attempt: Attempt): Promise<void>
  find(id: AttemptId, now: number): Promise<Attempt | null>
  /** The newest login that this browser started for the same tenant and the same way back, not yet returned. */
  findStarted(
    same: Pick<Attempt, 'tenantId' | 'browserHash' | 'redirectUri' | 'returnTo'>,
    since: number,
  ): Promise<Attempt | null>
  /** started → returned; null when somebody was there first, or too late. */
  take(id: AttemptId, now: number): Promise<Attempt | null>
  /** returned → identified. */
  identify(id: AttemptId, profile: Profile, now: number): Promise<boolean>
  /** returned or identified → decided, forgetting who it was; false when it already was. */
  decide(id: AttemptId, now: number): Promise<boolean>
  removeOf(tenantId: TenantId): Promise<void>
  sweep(now: number, limit: number): Promise<number>
}

export interface AccountStore {
  /** Finds or makes the account of this person; e-mail and name follow the provider. Moves no tenant. */
  signIn(profile: Profile, now: number): Promise<Account>
  find(accountId: AccountId): Promise<Account | null>
  /** The same, held until the transaction ends, for what an account may do once. */
  hold(accountId: AccountId): Promise<Account | null>
  /** For the operator: more than one person may have had the same address. */
  findByEmail(email: string): Promise<Account[]>
  setTier(accountId: AccountId, tier: OwnerTier): Promise<void>
}

export interface AccountSessionStore {
  add(hash: string, accountId: AccountId, now: number, expiresAt: number): Promise<void>
  find(hashes: readonly string[], now: number): Promise<AccountSession | null>
  /** Used again: moves last use and expiry. */
  slide(sessionId: AccountSessionId, now: number, expiresAt: number): Promise<void>
  /** Newest use first. */
  listOf(accountId: AccountId, now: number): Promise<AccountSession[]>
  end(accountId: AccountId, sessionId: AccountSessionId): Promise<void>
  endAllOf(accountId: AccountId): Promise<void>
  sweep(now: number, limit: number): Promise<number>
}

export interface AccountSignInStore {
  add(signIn: AccountSignIn): Promise<void>
  /** Once, and in time. */
  take(id: SignInId, now: number): Promise<AccountSignIn | null>
  sweep(now: number, limit: number): Promise<number>
}
