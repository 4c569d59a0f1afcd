/** What the authorization server asks of the database. */

import type { Scope } from '@gatehouse/contract'
import type { AccountId, GrantId } from '../ids.ts'
import type { Approval } from '../oauth/approval.ts'
import type { Grant } from '../oauth/grant.ts'
import type { Instant } from '../time.ts'

export interface OAuthApprovalStore {
  add(hash: string, approval: Approval): Promise<void>
  /** Decided and expired ones too, as long as they are there: the page says which it is. */
  find(hashes: readonly string[]): Promise<Approval | null>
  /** Open → decided, by the first who decides in time and in its own browser; null for everybody after. */
  decide(hashes: readonly string[], browserHashes: readonly string[], now: Instant): Promise<Approval | null>
  sweep(now: Instant, limit: number): Promise<number>
}

/** A grant that was just given, before any token. */
export interface NewGrant extends Omit<Grant, 'id' | 'lastUsedAt'> {
  /** When its last code or token ends, and with it the grant. */
  readonly endsAt: Instant
}

export interface OAuthGrantStore {
  add(grant: NewGrant): Promise<GrantId>
  /** Moves its end and its last use; false when it was revoked or is over, and then nothing may be issued under it. */
  extend(grantId: GrantId, endsAt: Instant, now: Instant): Promise<boolean>
  /** Was used now, if its last known use is not after `before`. */
  touch(grantId: GrantId, now: Instant, before: Instant): Promise<void>
  /** Ends all its tokens at once, whoever holds them. */
  revoke(grantId: GrantId, now: Instant): Promise<void>
  /** The same, by the account it acts for; false when that account has no such grant. */
  revokeForAccount(accountId: AccountId, grantId: GrantId, now: Instant): Promise<boolean>
  /** What may act for this account now, the last used first. */
  listByAccount(accountId: AccountId, now: Instant): Promise<Grant[]>
  /** Removes grants that are over or revoked, with their codes and tokens. */
  sweep(now: Instant, limit: number): Promise<number>
}

/** What a code was given for. All of it must come back with the code. */
export interface Code {
  readonly grant: Grant
  readonly redirectUri: string
  readonly challenge: string
  readonly expiresAt: Instant
  readonly usedAt: Instant | null
}

export interface OAuthCodeStore {
  add(hash: string, code: Pick<Code, 'redirectUri' | 'challenge' | 'expiresAt'>, grantId: GrantId): Promise<void>
  /** Used and expired ones too: a code that comes back is a leak, and is told from one that never was. */
  find(hashes: readonly string[]): Promise<(Code & { readonly hash: string }) | null>
  /** Unused → used, for exactly one of any number at once. */
  use(hash: string, now: Instant): Promise<boolean>
}

export interface Refresh {
  readonly grant: Grant
  readonly expiresAt: Instant
  readonly usedAt: Instant | null
}

export interface OAuthTokenStore {
  /** A new pair. Access tokens issued to the grant before it stop working. */
  issue(
    grantId: GrantId,
    access: { readonly hash: string; readonly scopes: readonly Scope[]; readonly expiresAt: Instant },
    refresh: { readonly hash: string; readonly expiresAt: Instant },
  ): Promise<void>
  /** The grant behind an access token that is good now, with the scopes of that token. */
  findGrant(accessHashes: readonly string[], now: Instant): Promise<Grant | null>
  /** Whose it is, whatever has become of it: for revocation. */
  findGrantIgnoringExpiry(accessHashes: readonly string[]): Promise<Pick<Grant, 'id' | 'clientId'> | null>
  /** Rotated and expired ones too, until they are swept. */
  findRefresh(hashes: readonly string[]): Promise<(Refresh & { readonly hash: string }) | null>
  /** Current → rotated, for exactly one of any number at once. */
  useRefresh(hash: string, now: Instant): Promise<boolean>
  sweep(now: Instant, limit: number): Promise<number>
}
