import type { AttemptId, TenantId } from '../ids.ts'
import type { Duration, Instant } from '../time.ts'
import type { Profile } from './identity-provider.ts'

/** A person has ten minutes from the login link to the consent button. */
export const ATTEMPT_LIFETIME_MS: Duration = 10 * 60_000

/** The same browser asking for the same thing again within a minute is one login, not two (decision 13). */
export const REPEATED_START_MS: Duration = 60_000

/**
 * started → returned (the provider sent the browser back; we are asking who it is) → identified → decided.
 * Each arrow is one conditional statement, so a replay or a second tab finds the door closed.
 */
export type AttemptStage = 'started' | 'returned' | 'identified' | 'decided'

/** What one login remembers between redirects. */
export interface Attempt {
  /** Public: it appears in the consent page's address and opens nothing without the browser's cookie. */
  readonly id: AttemptId
  readonly tenantId: TenantId
  /** Already matched against the callback list, and written from its parsed parts. */
  readonly redirectUri: string
  readonly returnTo: string | null
  /** Keyed hash of the cookie that ties this login to one browser. */
  readonly browserHash: string
  readonly stage: AttemptStage
  /** Known from *identified* on, and forgotten once decided. */
  readonly profile: Profile | null
  readonly createdAt: Instant
  readonly expiresAt: Instant
}

/** 16 random bytes in base64url. Whatever else stands in an address was not put there by us, and is not looked up. */
const ID = /^[A-Za-z0-9_-]{22}$/

export const isAttemptId = (text: string): boolean => ID.test(text)

/** `return_to` goes back to the app only if it came. */
export const returnToParameter = ({ returnTo }: Attempt): { return_to?: string } =>
  returnTo === null ? {} : { return_to: returnTo }
