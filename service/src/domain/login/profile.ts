import { isLoopback } from '../callbacks/loopback.ts'
import type { Profile } from './identity-provider.ts'

/** RFC 5321, section 4.5.3.1.3: a path is 256 octets with its brackets, so an address is 254. */
const EMAIL_MAX_CHARACTERS = 254
const NAME_MAX_CHARACTERS = 200
const PICTURE_MAX_CHARACTERS = 512

/** Why what the provider said about a person cannot be used. Each is an `error_code` of stage `userinfo`. */
export type ProfileFault = 'subject_invalid' | 'email_missing' | 'email_unverified' | 'email_invalid'

export type ReadProfile =
  | { readonly ok: true; readonly profile: Profile }
  | { readonly ok: false; readonly fault: ProfileFault }

/**
 * Who the provider says came back, from the fields of its userinfo answer.
 *
 * What decides who somebody *is* (subject, e-mail) is taken exactly as it was said or not at all. What only decorates
 * (name, picture) is cleaned, and left out when it cannot be.
 */
export function readProfile(issuer: string, fields: Readonly<Record<string, unknown>>): ReadProfile {
  const { sub, email } = fields
  if (typeof sub !== 'string' || !isSubject(sub)) return { ok: false, fault: 'subject_invalid' }
  if (typeof email !== 'string' || email === '') return { ok: false, fault: 'email_missing' }
  // Only the boolean counts. The text "false" is as true as any other text.
  if (fields.email_verified !== true) return { ok: false, fault: 'email_unverified' }
  if (!isEmail(email)) return { ok: false, fault: 'email_invalid' }

  return {
    ok: true,
    profile: { issuer, subject: sub, email, name: cleanName(fields.name), picture: cleanPicture(fields.picture) },
  }
}

/**
 * Any text may be a subject, but two subjects must never be stored as one. PostgreSQL refuses NUL, and half a
 * surrogate pair is written as U+FFFD, which would make every such subject the same person.
 */
const isSubject = (sub: string): boolean => sub !== '' && !sub.includes('\0') && sub.isWellFormed()

/**
 * Not a grammar of addresses: a guard against text that one reader takes for another address than we do. Two `@`, or a
 * character that folds to one (`＠`), once let people in as somebody else (CVE-2026-40574, GHSA-7rqj-j65f-68wh).
 */
function isEmail(email: string): boolean {
  if (email.length > EMAIL_MAX_CHARACTERS) return false
  // \p{C}: control, invisible formatting, half surrogates, unassigned. \p{Z}: every kind of space.
  if (/[\p{C}\p{Z}]/u.test(email)) return false
  return isLocalAtDomain(email) && isLocalAtDomain(email.normalize('NFKC'))
}

const isLocalAtDomain = (email: string): boolean => /^[^@]+@[^@]+$/u.test(email)

function cleanName(name: unknown): string | null {
  if (typeof name !== 'string') return null
  const clean = name
    .toWellFormed()
    .replace(/\s+/gu, ' ')
    // Control characters break logs and PostgreSQL; bidirectional overrides make a name read as its neighbour's text.
    .replace(/[\p{Cc}\p{Bidi_Control}]/gu, '')
    .trim()
  return clean === '' || clean.length > NAME_MAX_CHARACTERS ? null : clean
}

function cleanPicture(picture: unknown): string | null {
  if (typeof picture !== 'string' || !URL.canParse(picture)) return null
  const url = new URL(picture)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url))) return null
  // Written from its parsed parts, so what we keep is plain ASCII whatever came in.
  return url.href.length > PICTURE_MAX_CHARACTERS ? null : url.href
}
