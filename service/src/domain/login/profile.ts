import {
  asciiLowerCase,
  EMAIL_MAX_CHARACTERS,
  type LoginFailureCode,
} from '@gatehouse-auth/contract'
import { isLoopback } from '../callbacks/host.ts'
import type { Profile } from './identity-provider.ts'

/** Why a profile cannot be used. Each is an `error_code` of stage `userinfo`. */
export type ProfileFault = Extract<
  LoginFailureCode,
  'subject_invalid' | 'email_missing' | 'email_unverified' | 'email_invalid'
>

export type ReadProfile =
  | { readonly ok: true; readonly profile: Profile }
  | { readonly ok: false; readonly fault: ProfileFault }

/**
 * Reads a profile from the claims of a userinfo response. The identity (subject, email) is accepted unchanged or
 * rejected. Name and picture are cleaned, or dropped if they cannot be.
 */
export function readProfile(
  issuer: string,
  claims: Readonly<Record<string, unknown>>,
): ReadProfile {
  const { sub, email } = claims
  if (typeof sub !== 'string' || !isSubject(sub)) {
    return { ok: false, fault: 'subject_invalid' }
  }
  if (typeof email !== 'string' || email === '') {
    return { ok: false, fault: 'email_missing' }
  }
  // Only the boolean true: the string "false" would be truthy.
  if (claims.email_verified !== true) {
    return { ok: false, fault: 'email_unverified' }
  }
  if (!isEmail(email)) {
    return { ok: false, fault: 'email_invalid' }
  }

  return {
    ok: true,
    profile: {
      issuer,
      subject: sub,
      email,
      name: cleanName(claims.name),
      picture: cleanPicture(claims.picture),
    },
  }
}

/**
 * Any text may be a subject, but two subjects must never be stored as one. PostgreSQL rejects NUL, and a lone surrogate
 * is stored as U+FFFD, which would make all such subjects the same user.
 */
const isSubject = (sub: string): boolean => sub !== '' && !sub.includes('\0') && sub.isWellFormed()

/**
 * Not a grammar of addresses: rejects text that another program may read as a different address. Two `@`, or a character
 * that folds to one (`＠`), have led to account takeover elsewhere (CVE-2026-40574, GHSA-7rqj-j65f-68wh).
 */
function isEmail(email: string): boolean {
  if (email.length > EMAIL_MAX_CHARACTERS) {
    return false
  }
  // \p{C}: control, format, surrogate and unassigned characters. \p{Z}: all separators.
  if (/[\p{C}\p{Z}]/u.test(email)) {
    return false
  }
  return isLocalAtDomain(email) && isLocalAtDomain(email.normalize('NFKC'))
}

const isLocalAtDomain = (email: string): boolean => /^[^@]+@[^@]+$/u.test(email)

const NAME_MAX_CHARACTERS = 200

function cleanName(name: unknown): string | null {
  if (typeof name !== 'string') {
    return null
  }
  const clean = name
    .toWellFormed()
    .replace(/\s+/gu, ' ')
    // Control characters break logs and PostgreSQL; bidirectional controls reorder the text around a name.
    .replace(/[\p{Cc}\p{Bidi_Control}]/gu, '')
    .trim()
  return clean === '' || clean.length > NAME_MAX_CHARACTERS ? null : clean
}

const PICTURE_MAX_CHARACTERS = 512

function cleanPicture(picture: unknown): string | null {
  if (typeof picture !== 'string' || !URL.canParse(picture)) {
    return null
  }
  const url = new URL(picture)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url))) {
    return null
  }
  // The parsed URL is plain ASCII.
  return url.href.length > PICTURE_MAX_CHARACTERS ? null : url.href
}

/** Who may sign in to an app. */
export interface Admission {
  /** `invited`: the project is closed (`rejectionOf`). */
  readonly admission: 'open' | 'invited'
  /** Google Workspace domains, in lower case. */
  readonly allowedDomains: readonly string[]
  /** In lower case. */
  readonly allowedEmails: readonly string[]
}

/** A user as the provider identified them. */
export interface Identified {
  readonly profile: Profile
  /** The Workspace of the account (`hd` of the ID token); null for a consumer account. */
  readonly hostedDomain: string | null
}

type Lists = Omit<Admission, 'admission'>

/** Whether the lists of an open project let this user in. Both empty: they let everyone in. */
export const admits = (lists: Lists, identified: Identified): boolean =>
  (lists.allowedDomains.length === 0 && lists.allowedEmails.length === 0) ||
  isListed(lists, identified)

/**
 * Whether the Workspace or the email address of this user is in a list. The domain of the email address proves nothing: a
 * consumer account can have an address at any domain.
 */
export function isListed(
  { allowedDomains, allowedEmails }: Lists,
  { profile, hostedDomain }: Identified,
): boolean {
  if (hostedDomain !== null && allowedDomains.includes(asciiLowerCase(hostedDomain))) {
    return true
  }
  return allowedEmails.includes(asciiLowerCase(profile.email))
}

/**
 * The `hd` parameter, by which Google's account chooser shows only accounts that may sign in: one domain, or `*` for any
 * Workspace. A hint; `rejectionOf` decides.
 */
export function hostedDomainHint({
  admission,
  allowedDomains,
  allowedEmails,
}: Admission): string | null {
  const [first = null, second] = allowedDomains
  if (allowedEmails.length > 0 || admission === 'invited') {
    return null
  }
  return second === undefined ? first : '*'
}
