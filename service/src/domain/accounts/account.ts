import type { Tier } from '@gatehouse/contract'
import type { AccountId, AccountSessionId, AttemptId, SignInId } from '../ids.ts'
import type { Duration, Instant } from '../time.ts'

/** A person who owns tenants. Keyed on the provider's subject, like everybody who signs in. */
export interface Account {
  readonly id: AccountId
  readonly email: string
  readonly name: string | null
  readonly tier: OwnerTier
  readonly createdAt: Instant
}

export type OwnerTier = Exclude<Tier, 'ephemeral'>

export const OWNER_TIERS: readonly OwnerTier[] = ['free', 'plus', 'pro']

export const isOwnerTier = (text: string): text is OwnerTier => (OWNER_TIERS as readonly string[]).includes(text)

/** Thirty days since it was last used (decision 13). */
export const ACCOUNT_SESSION_MS: Duration = 30 * 24 * 3_600_000
/** However much it is used, like every other session here (OWASP ASVS 7.3.2). */
export const ACCOUNT_SESSION_ABSOLUTE_MS: Duration = 365 * 24 * 3_600_000
/** Sliding is a write, so it is not done for every page of one visit. */
export const ACCOUNT_SESSION_SLIDE_MS: Duration = 3_600_000

/** One browser in which an account is signed in. Its secret is in the browser's cookie and nowhere else. */
export interface AccountSession {
  /** Names it on the account page; opens nothing. */
  readonly id: AccountSessionId
  readonly account: Account
  readonly createdAt: Instant
  readonly lastUsedAt: Instant
  readonly expiresAt: Instant
}

/** A sign-in to the account itself, between our page and Google's answer. */
export interface AccountSignIn {
  readonly id: SignInId
  /** Keyed hash of the cookie that ties it to one browser. */
  readonly browserHash: string
  /** A page of ours to go on to. */
  readonly next: string
  readonly createdAt: Instant
  readonly expiresAt: Instant
}

/** Ids of account sign-ins begin so, and those of logins to an app do not: the provider's answer names either. */
const SIGN_IN_PREFIX = 'account_'

export const accountSignInId = (random: (bytes: number) => Uint8Array): SignInId =>
  SIGN_IN_PREFIX + Buffer.from(random(16)).toString('base64url')

export const isAccountSignInId = (id: AttemptId | SignInId): id is SignInId => id.startsWith(SIGN_IN_PREFIX)

const HOME = '/account'
const OWN_PAGES = /^\/(account|claim|oauth|mcp\/tenants)(\/|\?|#|$)/
/** An origin that no one can have (RFC 2606), to see whether a path stays on it. */
const OWN_ORIGIN = 'https://own.invalid'

/**
 * Only a page of our own: everything else would make the sign-in an open redirect. It is judged and kept as a browser
 * would resolve it, which is without dots and in plain ASCII, because it goes into a header.
 */
export function safeNextPath(path: string | undefined): string {
  if (path === undefined || path.length > 2_000 || !path.startsWith('/')) return HOME
  const url = URL.parse(path, OWN_ORIGIN)
  if (url === null || url.origin !== OWN_ORIGIN) return HOME
  const resolved = url.pathname + url.search + url.hash
  return OWN_PAGES.test(resolved) ? resolved : HOME
}
