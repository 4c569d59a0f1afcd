import { type LoginError, type LoginFailure, refusalMeaning } from '@gatehouse-auth/contract'
import type { OpenIdRedirectError } from './openid-request.ts'

/** The person may not enter: the app's owner decides that. Every other failure is ours, or the provider's. */
const NOT_ADMITTED: ReadonlySet<LoginFailure> = new Set([
  'user_blocked',
  'not_allowed',
  'not_invited',
  'email_unverified',
])

interface FailedLogin {
  readonly error: LoginError
  readonly reason?: LoginFailure
}

interface OpenIdError {
  readonly error: OpenIdRedirectError
  readonly description: string
}

/** A failed login as OAuth names it. Libraries show the description to the person, and `undefined` if there is none. */
export function openIdErrorOf({ error, reason }: FailedLogin): OpenIdError {
  if (error === 'access_denied') {
    return { error, description: 'The person cancelled the sign-in.' }
  }
  if (reason === undefined) {
    return { error: 'server_error', description: 'The sign-in failed. Try again.' }
  }
  return {
    error: NOT_ADMITTED.has(reason) ? 'access_denied' : 'server_error',
    description: asDescription(refusalMeaning(reason)),
  }
}

/** An `error_description` is ASCII without quotation marks and backslashes (RFC 6749, section 4.1.2.1). */
export const asDescription = (text: string): string =>
  text.replaceAll('’', "'").replace(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, ' ')
