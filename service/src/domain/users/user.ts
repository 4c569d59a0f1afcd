import {
  type Claims,
  PROVIDER_KINDS,
  type ProviderName,
  providerKind,
} from '@gatehouse-auth/contract'
import type { Identity } from '../accounts/person.ts'
import type { UserId } from '../ids.ts'
import type { Profile } from '../login/identity-provider.ts'
import { readProfile } from '../login/profile.ts'
import { normalizeIssuer } from '../providers/provider-client.ts'
import type { Instant } from '../time.ts'

/** A user of one tenant's app. Identified by the provider's issuer and subject, never by email. */
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

/** A user as a sign-in finds them. */
export interface FoundUser extends KnownUser {
  readonly hasSeveralIdentities: boolean
}

/** What one provider says about a user. */
export interface UserIdentity extends Profile {
  /** The user is shown with this profile, whichever identity signs in. */
  readonly pinned: boolean
  /** The last login with it. */
  readonly lastSeen: Instant
}

/** Everything that is stored about a user. */
export interface UserRecord extends SeenUser, KnownUser {
  readonly issuer: string
  readonly subject: string
  /** At least one. */
  readonly identities: readonly UserIdentity[]
  /** JSON of the owner's own fields; null: none. */
  readonly metadata: string | null
  /** What the owner adds to the user's ID tokens. */
  readonly claims: Claims
  /** Keyed hash of the cookie of the browser that signed in last; null: none has. */
  readonly browserHash: string | null
}

/** A user that the owner imports. */
export interface NewUser extends Profile {
  readonly firstSeen: Instant
  readonly lastSeen: Instant
  readonly blockedAt: Instant | null
  readonly metadata: string | null
  readonly claims: Claims
}

export const isSameIdentity = (one: Identity, other: Identity): boolean =>
  one.issuer === other.issuer && one.subject === other.subject

/** Whether a sign-in changed nothing that apps show of the user. */
export const isShownAlike = (known: User, user: User): boolean =>
  known.email === user.email && known.name === user.name && known.picture === user.picture

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
  /** Empty: the row has the only one. */
  readonly identities: readonly UserIdentity[]
}

/** A user that a row describes. */
export interface ReadUser {
  readonly ok: true
  readonly user: NewUser
  /** All of them, if there are several. */
  readonly identities: readonly UserIdentity[]
  readonly warning: string | undefined
}

type ReadRow = ReadUser | { readonly ok: false; readonly problem: string }

/** The issuers that users of a tenant can have. */
export interface KnownIssuers {
  readonly google: string
  /** null: no provider of the tenant has this issuer. */
  providerOf(issuer: string): ProviderName | null
}

/**
 * A row becomes a user by the rules of a sign-in, so that the person's next sign-in finds it: by issuer and subject, never by
 * email.
 */
export function readImportedRow(row: ImportedRow, known: KnownIssuers, now: Instant): ReadRow {
  const own = readIdentity({ ...row, issuer: row.issuer ?? known.google }, known)
  if (!own.ok) {
    return own
  }

  const lastSeen = row.lastSeen ?? now
  const firstSeen = row.firstSeen ?? Math.min(now, lastSeen)
  if (firstSeen > lastSeen || lastSeen > now || firstSeen < 0) {
    return invalid('first_seen: send times in the past, first_seen not after last_seen.')
  }

  const listed = readIdentities(row.identities, known, now)
  if (!listed.ok) {
    return listed
  }
  const { identities } = listed
  if (identities.length > 0 && !identities.some((each) => isSameIdentity(each, own.profile))) {
    return invalid('identities: list the identity of the line itself, too.')
  }

  const { issuer, subject, email, name, picture } = own.profile
  return {
    ok: true,
    user: {
      issuer,
      subject,
      email,
      name,
      picture,
      firstSeen,
      lastSeen,
      blockedAt: row.blocked ? now : null,
      metadata: row.metadata,
      claims: row.claims,
    },
    identities,
    warning: PROVIDER_KINDS[providerKind(own.provider)].importWarning ?? undefined,
  }
}

type ReadIdentities =
  | { readonly ok: true; readonly identities: readonly UserIdentity[] }
  | { readonly ok: false; readonly problem: string }

function readIdentities(
  listed: readonly UserIdentity[],
  known: KnownIssuers,
  now: Instant,
): ReadIdentities {
  const identities: UserIdentity[] = []
  for (const [at, identity] of listed.entries()) {
    const read = readIdentity(identity, known)
    if (!read.ok) {
      return invalid(`identities.${at}.${read.problem}`)
    }
    if (identities.some((each) => isSameIdentity(each, read.profile))) {
      return invalid(`identities.${at}: listed twice.`)
    }
    const lastSeen = Math.min(identity.lastSeen, now)
    identities.push({ ...read.profile, pinned: identity.pinned, lastSeen })
  }
  return { ok: true, identities }
}

type ReadIdentity =
  | { readonly ok: true; readonly profile: Profile; readonly provider: ProviderName }
  | { readonly ok: false; readonly problem: string }

function readIdentity(identity: Profile, { providerOf, google }: KnownIssuers): ReadIdentity {
  const normalized = normalizeIssuer(identity.issuer)
  const provider = providerOf(normalized)
  if (provider === null) {
    return invalid(
      'issuer: this tenant has no provider with this issuer. Add an OpenID provider before its users.',
    )
  }
  const { subject: sub, email, name, picture } = identity
  if (sub.length > SUBJECT_MAX_CHARACTERS) {
    return invalid(`subject: at most ${SUBJECT_MAX_CHARACTERS} characters.`)
  }
  const issuer = provider === 'google' ? google : normalized
  const read = readProfile(issuer, { sub, email, email_verified: true, name, picture })
  if (!read.ok) {
    return invalid(`${read.fault === 'subject_invalid' ? 'subject' : 'email'}: ${read.fault}.`)
  }
  return { ok: true, profile: read.profile, provider }
}

const invalid = (problem: string) => ({ ok: false, problem }) as const
