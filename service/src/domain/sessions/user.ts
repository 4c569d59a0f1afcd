import type { UserId } from '../ids.ts'
import type { Profile } from '../login/identity-provider.ts'
import type { Instant } from '../time.ts'

/** A user of one tenant's app. Identified by the provider's issuer and subject, never by e-mail. */
export interface User {
  readonly id: UserId
  readonly email: string
  readonly name: string | null
  readonly picture: string | null
  readonly firstSeen: number
}

/** A user as lists and pages show them. */
export interface SeenUser extends User {
  /** The last login or refresh. Found in the user's sessions, so what shows no time does not read it. */
  readonly lastSeen: number
}

export interface KnownUser extends User {
  /** null: the user may sign in. */
  readonly blockedAt: Instant | null
}

/** Everything that is stored about a user. */
export interface UserRecord extends SeenUser, KnownUser {
  readonly issuer: string
  readonly subject: string
  /** JSON of the owner's own fields; null: none. */
  readonly metadata: string | null
}

/** A user that the owner imports. */
export interface NewUser extends Profile {
  readonly firstSeen: Instant
  readonly lastSeen: Instant
  readonly blockedAt: Instant | null
  readonly metadata: string | null
}

/** OpenID Connect Core, section 2. A longer subject cannot be stored. */
export const SUBJECT_MAX_CHARACTERS = 255

/** A name as searches compare it: composed and in lower case. */
export const nameKey = (name: string): string => name.normalize('NFC').toLowerCase()
