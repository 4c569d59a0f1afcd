/** The store of remembered consents. */

import type { UserId } from '../ids.ts'
import type { ConsentKey, RememberedConsent } from '../login/remembered-consent.ts'
import type { Instant } from '../time.ts'
import type { Resource } from './social-login.ts'

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
