import { type Claims, type ProviderKind, type ProviderName, providerKind } from '@gatehouse/contract'
import type { UserId } from '../ids.ts'
import type { Profile } from '../login/identity-provider.ts'
import { readProfile } from '../login/profile.ts'
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
  /** What the owner adds to the user's ID tokens. */
  readonly claims: Claims
}

/** A user that the owner imports. */
export interface NewUser extends Profile {
  readonly firstSeen: Instant
  readonly lastSeen: Instant
  readonly blockedAt: Instant | null
  readonly metadata: string | null
  readonly claims: Claims
}

/** OpenID Connect Core, section 2. A longer subject cannot be stored. */
export const SUBJECT_MAX_CHARACTERS = 255

/** A name as searches compare it: composed and in lower case. */
export const nameKey = (name: string): string => name.normalize('NFC').toLowerCase()

/** One row of an import, as the owner wrote it. */
export interface ImportedRow {
  readonly issuer: string | undefined
  readonly subject: string
  readonly email: string
  readonly name: string | null
  readonly picture: string | null
  readonly firstSeen: Instant | undefined
  readonly lastSeen: Instant | undefined
  readonly blocked: boolean
  readonly metadata: string | null
  readonly claims: Claims
}

type ReadRow =
  | { readonly ok: true; readonly user: NewUser; readonly warning: string | undefined }
  | { readonly ok: false; readonly problem: string }

/** The issuers that users of a tenant can have. */
interface KnownIssuers {
  readonly google: string
  /** null: no provider of the tenant has this issuer. */
  providerOf(issuer: string): ProviderName | null
}

/**
 * A row becomes a user by the rules of a sign-in, so that the person's next sign-in finds it: by issuer and subject, never by
 * e-mail.
 */
export function readImportedRow(row: ImportedRow, { google, providerOf }: KnownIssuers, now: Instant): ReadRow {
  const { issuer = google } = row
  const provider = providerOf(issuer)
  if (provider === null) {
    return invalid('issuer: this tenant has no provider with this issuer. Add an OpenID provider before its users.')
  }
  if (row.subject.length > SUBJECT_MAX_CHARACTERS)
    return invalid(`subject: at most ${SUBJECT_MAX_CHARACTERS} characters.`)
  const { subject: sub, email, name, picture } = row
  const read = readProfile(issuer, { sub, email, email_verified: true, name, picture })
  if (!read.ok) return invalid(`${read.fault === 'subject_invalid' ? 'subject' : 'email'}: ${read.fault}.`)
  const lastSeen = row.lastSeen ?? now
  const firstSeen = row.firstSeen ?? Math.min(now, lastSeen)
  if (firstSeen > lastSeen || lastSeen > now || firstSeen < 0) {
    return invalid('first_seen: send times in the past, first_seen not after last_seen.')
  }
  const blockedAt = row.blocked ? now : null
  const { metadata, claims } = row
  return {
    ok: true,
    user: { ...read.profile, firstSeen, lastSeen, blockedAt, metadata, claims },
    warning: PORTABILITY[providerKind(provider)],
  }
}

/** Google, GitHub and Microsoft (`oid`) give a person the same subject for every client. */
const PORTABILITY: Partial<Record<ProviderKind, string>> = {
  apple: 'Apple gives each developer team other subjects: the user is found only by a Services ID of the same team.',
  oidc: 'An OpenID provider may give each client other subjects: try the sign-in of one user with your client.',
}

const invalid = (problem: string): ReadRow => ({ ok: false, problem })
