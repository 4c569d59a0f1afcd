import type { UserId } from '../ids.ts'

/** A user of one tenant's app. Identified by the provider's issuer and subject, never by e-mail. */
export interface User {
  readonly id: UserId
  readonly email: string
  readonly name: string | null
  readonly picture: string | null
  readonly firstSeen: number
  readonly lastSeen: number
}

/** OpenID Connect Core, section 2. A longer subject cannot be stored. */
export const SUBJECT_MAX_CHARACTERS = 255
