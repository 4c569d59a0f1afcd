/** The stores of the authorization server. */

import type { Scope } from '@gatehouse-auth/contract'
import type { AccountId, GrantId } from '../ids.ts'
import type { Approval, ApprovalDecision, Grant } from '../oauth/grant.ts'
import type { Instant } from '../time.ts'

export interface OAuthApprovalStore {
  add(hash: string, approval: Approval): Promise<void>
  /** Includes decided and expired requests until they are swept, so that the page can say which. */
  find(hashes: readonly string[]): Promise<Approval | null>
  /**
   * Open → decided, once, before it expires, in the browser that sent the request; otherwise null. Waits for a concurrent
   * decision, and keeps the row as long as the decision can be repeated.
   */
  decide(
    hashes: readonly string[],
    browserHashes: readonly string[],
    decision: ApprovalDecision,
    now: Instant,
  ): Promise<Approval | null>
  sweep(now: Instant, limit: number): Promise<number>
}

/** A new grant, before its first token. */
export interface NewGrant extends Omit<Grant, 'id' | 'lastUsedAt'> {
  /** When its last code or token expires, and with it the grant. */
  readonly endsAt: Instant
}

export interface OAuthGrantStore {
  add(grant: NewGrant): Promise<GrantId>
  /** Moves its end and its last use; false if it was revoked or has expired, and then no token may be issued. */
  extend(grantId: GrantId, endsAt: Instant, now: Instant): Promise<boolean>
  /** Sets the last use to `now`, unless the stored one is after `before`. */
  touch(grantId: GrantId, now: Instant, before: Instant): Promise<void>
  /** Ends all its tokens. */
  revoke(grantId: GrantId, now: Instant): Promise<void>
  /** Revokes the grant if it acts for this account; otherwise false. */
  revokeForAccount(accountId: AccountId, grantId: GrantId, now: Instant): Promise<boolean>
  /** Current grants of this account, the last used first. */
  listByAccount(accountId: AccountId, now: Instant): Promise<Grant[]>
  /** Deletes expired and revoked grants with their codes and tokens. */
  sweep(now: Instant, limit: number): Promise<number>
}

/** An authorization code; the token request must repeat the redirect URI and match the challenge. */
interface Code {
  readonly grant: Grant
  readonly redirectUri: string
  readonly challenge: string
  readonly expiresAt: Instant
  readonly usedAt: Instant | null
}

export interface OAuthCodeStore {
  add(
    hash: string,
    code: Pick<Code, 'redirectUri' | 'challenge' | 'expiresAt'>,
    grantId: GrantId,
  ): Promise<void>
  /** Includes used and expired codes, so that a replayed code is distinguished from an unknown one. */
  find(hashes: readonly string[]): Promise<(Code & { readonly hash: string }) | null>
  /** Unused → used; true for exactly one of any number of concurrent calls. */
  use(hash: string, now: Instant): Promise<boolean>
}

interface Refresh {
  readonly grant: Grant
  readonly expiresAt: Instant
  readonly usedAt: Instant | null
}

export interface NewAccessToken {
  readonly hash: string
  readonly scopes: readonly Scope[]
  readonly expiresAt: Instant
}

export interface OAuthTokenStore {
  /** Adds a pair of tokens. Of the grant's access tokens the newest twenty stay valid. */
  issue(
    grantId: GrantId,
    access: NewAccessToken,
    refresh: { readonly hash: string; readonly expiresAt: Instant },
  ): Promise<void>
  /** Adds an access token, without a refresh token. */
  issueAccess(grantId: GrantId, access: NewAccessToken): Promise<void>
  /** The grant of a valid access token, with the scopes of the token. */
  findGrant(accessHashes: readonly string[], now: Instant): Promise<Grant | null>
  /** The grant of an access token, expired and revoked ones included: for revocation. */
  findGrantIgnoringExpiry(
    accessHashes: readonly string[],
  ): Promise<Pick<Grant, 'id' | 'clientId'> | null>
  /** Includes rotated and expired tokens until they are swept. */
  findRefresh(hashes: readonly string[]): Promise<(Refresh & { readonly hash: string }) | null>
  /** Current → rotated; true for exactly one of any number of concurrent calls. */
  useRefresh(hash: string, now: Instant): Promise<boolean>
  sweep(now: Instant, limit: number): Promise<number>
}
