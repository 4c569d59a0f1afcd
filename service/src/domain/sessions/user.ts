import type { UserId } from '../ids.ts'

/** A person, as one tenant's app knows them. The key is the provider's subject, never the e-mail. */
export interface User {
  readonly id: UserId
  readonly email: string
  readonly name: string | null
  readonly picture: string | null
  readonly firstSeen: number
  readonly lastSeen: number
}

/** OpenID Connect Core, section 2: a subject is at most 255 characters. A longer one cannot be stored. */
export const SUBJECT_MAX_CHARACTERS = 255
