import { REMOVAL_DAYS } from '@gatehouse-auth/contract'
import type { AttemptId, ResourceId, SignInId, TenantId, UserId } from '../ids.ts'
import type { Profile } from '../login/identity-provider.ts'
import type { Duration, Instant } from '../time.ts'

/** A person, as a provider identifies them in every app. Never an email address: it can change its owner. */
export type Identity = Pick<Profile, 'issuer' | 'subject'>

/** The page on which people see and remove their own data. */
export const ME_PATH = '/me'
/** The generated page, which replaces a privacy policy of the operator. */
export const PRIVACY_PATH = '/privacy'

/** Short and fixed: the page ends sessions and removes data. */
export const ME_SESSION_MS: Duration = 30 * 60_000

/** A browser in which a person opened `/me`. It is no account: it owns nothing, and ends by itself. */
export interface MeSession extends Identity, Pick<Profile, 'email' | 'name'> {
  readonly createdAt: Instant
  readonly expiresAt: Instant
}

const SIGN_IN_PREFIX = 'me_'

export const meSignInId = (random: (bytes: number) => Uint8Array): SignInId =>
  SIGN_IN_PREFIX + Buffer.from(random(16)).toString('base64url')

export const isMeSignInId = (id: AttemptId | SignInId): id is SignInId =>
  id.startsWith(SIGN_IN_PREFIX)

/** How long the owner has to remove a user who asked for it. */
export const REMOVAL_MS: Duration = REMOVAL_DAYS * 24 * 3_600_000

/** A request of a user to be removed. */
export interface RemovalRequest {
  readonly tenantId: TenantId
  readonly resourceId: ResourceId
  readonly userId: UserId
  readonly requestedAt: Instant
  /** Identifies the HTTP request, for the audit. */
  readonly requestId: string
}
