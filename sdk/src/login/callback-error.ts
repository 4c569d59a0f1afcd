import type { ErrorCode, GatehouseError } from '../service/errors.ts'

const MESSAGES = {
  access_denied:
    'You did not agree to sign in, so nothing was shared. You can sign in at any time.',
  login_failed:
    'The sign-in failed, or this app does not accept the account that you chose. Please try again, or choose another account.',
  missing_tokens: 'This sign-in link is incomplete. Please sign in again.',
  login_not_started: 'This sign-in did not start at this app. Please sign in again.',
  nonce_mismatch:
    'This sign-in was not started in this browser, or it took too long. Please sign in again.',
  invalid_tokens: 'This sign-in is no longer valid. Please sign in again.',
  rate_limited: 'Too many people are signing in right now. Please try again in a minute.',
  tenant_paused: 'Sign-in is paused for this app. Its owner needs to claim the project.',
  tenant_suspended:
    'Sign-in is suspended for this app. Its owner needs to contact the sign-in service.',
  tenant_expired: 'Sign-in has expired for this app. Its owner needs to set it up again.',
  not_set_up: 'Sign-in is not set up for this app yet. Its owner needs to finish the setup.',
  unavailable: 'The sign-in service could not be reached. Please try again in a moment.',
} as const

/** Why a sign-in failed: the `error` parameter in the query of your error page. */
export type CallbackErrorCode = keyof typeof MESSAGES

/**
 * Returns the code from the query, if it is a known one, and a message for the end user.
 *
 * @example
 * ```ts
 * import { readCallbackError } from '@gatehouse-auth/sdk'
 *
 * const url = new URL('https://app.example/sign-in-failed?error=access_denied')
 * console.log(readCallbackError(url.searchParams.get('error'))?.code) // access_denied
 * ```
 */
export function readCallbackError(
  code: string | null,
): { readonly code: CallbackErrorCode; readonly message: string } | null {
  if (code === null || !Object.hasOwn(MESSAGES, code)) {
    return null
  }
  return { code: code as CallbackErrorCode, message: MESSAGES[code as CallbackErrorCode] }
}

const BY_CODE: Partial<Record<ErrorCode, CallbackErrorCode>> = {
  invalidCode: 'invalid_tokens',
  invalidRefreshToken: 'invalid_tokens',
  refreshTokenReused: 'invalid_tokens',
  refreshTokenSuperseded: 'invalid_tokens',
  rateLimited: 'rate_limited',
  tenantPaused: 'tenant_paused',
  tenantSuspended: 'tenant_suspended',
  tenantExpired: 'tenant_expired',
  tenantNotFound: 'not_set_up',
  notProvisioned: 'not_set_up',
}

export const callbackErrorOf = ({ code }: GatehouseError): CallbackErrorCode =>
  BY_CODE[code] ?? 'unavailable'
