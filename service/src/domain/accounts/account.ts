import type { Tier } from '@gatehouse-auth/contract'
import type { AccountId, AccountSessionId, AttemptId, SignInId } from '../ids.ts'
import type { ProviderClientRef } from '../providers/provider-client.ts'
import type { Duration, Instant } from '../time.ts'

/** An owner of tenants. Identified by the provider's issuer and subject. */
export interface Account {
  readonly id: AccountId
  readonly email: string
  readonly name: string | null
  readonly tier: OwnerTier
  /** How many tenants it may own. */
  readonly projectLimit: number
  readonly createdAt: Instant
}

export type OwnerTier = Exclude<Tier, 'ephemeral'>

export const OWNER_TIERS: readonly OwnerTier[] = ['free', 'plus', 'pro']

export const isOwnerTier = (text: string): text is OwnerTier =>
  (OWNER_TIERS as readonly string[]).includes(text)

/** Idle timeout: thirty days since the last use (decision 13). */
export const ACCOUNT_SESSION_MS: Duration = 30 * 24 * 3_600_000
/** Absolute timeout (OWASP ASVS 7.3.2). */
export const ACCOUNT_SESSION_ABSOLUTE_MS: Duration = 365 * 24 * 3_600_000
/** The expiry is extended at most this often, because each extension is a write. */
export const ACCOUNT_SESSION_SLIDE_MS: Duration = 3_600_000

/** One browser in which an account is signed in. The secret is only in the browser's cookie; its hash is stored. */
export interface AccountSession {
  /** Identifies the session on the account page. Not a credential. */
  readonly id: AccountSessionId
  readonly account: Account
  /** What it runs on (`deviceFrom`); null: unknown. */
  readonly device: string | null
  readonly createdAt: Instant
  readonly lastUsedAt: Instant
  readonly expiresAt: Instant
}

/** A sign-in to an account that waits for Google's redirect. */
export interface AccountSignIn {
  readonly id: SignInId
  /** Keyed hash of the browser's cookie. */
  readonly browserHash: string
  /** The page to open afterwards. */
  readonly next: string
  /** The owner tries this client of a project; null: they sign in to their account. */
  readonly tested: ProviderClientRef | null
  readonly createdAt: Instant
  readonly expiresAt: Instant
}

/** Distinguishes account sign-ins from logins to an app: Google's redirect may carry the id of either. */
const SIGN_IN_PREFIX = 'account_'
/** A test sign-in of an owner, with a client of their project. */
const TEST_PREFIX = 'provider-test_'

export const accountSignInId = (random: (bytes: number) => Uint8Array): SignInId =>
  SIGN_IN_PREFIX + Buffer.from(random(16)).toString('base64url')

export const testSignInId = (random: (bytes: number) => Uint8Array): SignInId =>
  TEST_PREFIX + Buffer.from(random(16)).toString('base64url')

export const isTestSignInId = (id: AttemptId | SignInId): id is SignInId =>
  id.startsWith(TEST_PREFIX)

const HOME = '/account'
const OWN_PAGES = /^\/(account|claim|oauth|feedback|mcp\/tenants)(\/|\?|#|$)/
/** A reserved origin (RFC 2606) to resolve paths against. */
const OWN_ORIGIN = 'https://own.invalid'

/**
 * The path of one of our pages; anything else becomes /account, which prevents an open redirect. Returned as a browser
 * resolves it: without dot segments and in ASCII, safe for a Location header.
 */
export function safeNextPath(path: string | undefined): string {
  if (path === undefined || path.length > 2_000 || !path.startsWith('/')) {
    return HOME
  }
  const url = URL.parse(path, OWN_ORIGIN)
  if (url === null || url.origin !== OWN_ORIGIN) {
    return HOME
  }
  const resolved = url.pathname + url.search + url.hash
  return OWN_PAGES.test(resolved) ? resolved : HOME
}

type NamedToken = readonly [name: string, token: RegExp]

/** In this order, because browsers also name those that they are based on. */
const BROWSERS: readonly NamedToken[] = [
  ['Edge', /\b(?:Edg|EdgA|EdgiOS)\//],
  ['Opera', /\b(?:OPR|OPT)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|Chromium|CriOS)\//],
  ['Safari', /\bVersion\/\S+ (?:Mobile\/\S+ )?Safari\//],
]

const SYSTEMS: readonly NamedToken[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows NT\b/],
  ['macOS', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
]

/** Browsers send some 150 characters. */
const MAX_CHARACTERS = 500

/**
 * Where an owner is signed in, as they recognize it: `Firefox on Linux`. Only a name from these lists is ever stored. null:
 * the header names none of them.
 */
export function deviceFrom(userAgent: string | undefined): string | null {
  if (userAgent === undefined || userAgent.length > MAX_CHARACTERS) {
    return null
  }
  const browser = nameIn(BROWSERS, userAgent)
  const system = nameIn(SYSTEMS, userAgent)
  if (browser !== null && system !== null) {
    return `${browser} on ${system}`
  }
  return browser ?? system
}

function nameIn(names: readonly NamedToken[], userAgent: string): string | null {
  const found = names.find(([, token]) => token.test(userAgent))
  return found === undefined ? null : found[0]
}
