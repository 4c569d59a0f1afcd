import { asciiLowerCase } from '@gatehouse/contract'
import type { Profile } from './identity-provider.ts'

/** Who may sign in to an app. Both lists empty: every Google account. */
export interface Admission {
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

/**
 * Whether this user may sign in: their Workspace or their e-mail address is in a list. The domain of the e-mail address
 * proves nothing: a consumer account can have an address at any domain.
 */
export function admits({ allowedDomains, allowedEmails }: Admission, { profile, hostedDomain }: Identified): boolean {
  if (allowedDomains.length === 0 && allowedEmails.length === 0) return true
  if (hostedDomain !== null && allowedDomains.includes(asciiLowerCase(hostedDomain))) return true
  return allowedEmails.includes(asciiLowerCase(profile.email))
}

/**
 * The `hd` parameter, by which Google's account chooser shows only accounts that may sign in: one domain, or `*` for any
 * Workspace. A hint; `admits` decides.
 */
export function hostedDomainHint({ allowedDomains, allowedEmails }: Admission): string | null {
  const [first = null, second] = allowedDomains
  if (allowedEmails.length > 0) return null
  return second === undefined ? first : '*'
}
