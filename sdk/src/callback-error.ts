import type { ErrorCode, GatehouseError } from './errors.ts'

const SENTENCES = {
  access_denied: 'You did not agree to sign in, so nothing was shared. Sign in whenever you like.',
  login_failed: 'Google could not confirm who you are just now. Please try again.',
  missing_tokens: 'This address is where a sign-in ends, and none came with it. Please sign in.',
  nonce_mismatch: 'This sign-in was not started in this browser, or it took too long. Please sign in again.',
  invalid_tokens: 'This sign-in is not valid here, or not any more. Please sign in again.',
  rate_limited: 'Too many people are signing in at this moment. Please try again in a minute.',
  tenant_paused: 'Signing in is paused for this app. Its owner has to claim the project to go on.',
  tenant_expired: 'Signing in has ended for this app. Its owner has to set it up again.',
  not_set_up: 'Signing in is not set up for this app yet. Its owner has to finish that.',
  unavailable: 'The sign-in service could not be reached. Please try again in a moment.',
} as const

/** Why a sign-in did not work: `error` in the query of your error page. */
export type CallbackErrorCode = keyof typeof SENTENCES

/**
 * The code in a query, if it is one of ours, and a sentence for the person who sees it.
 *
 * ```ts
 * const problem = readCallbackError(new URL(request.url).searchParams.get('error'))
 * // { code: 'access_denied', message: 'You did not agree to sign in, …' }, or null
 * ```
 */
export function readCallbackError(
  code: string | null,
): { readonly code: CallbackErrorCode; readonly message: string } | null {
  if (code === null || !Object.hasOwn(SENTENCES, code)) return null
  return { code: code as CallbackErrorCode, message: SENTENCES[code as CallbackErrorCode] }
}

const BY_CODE: Partial<Record<ErrorCode, CallbackErrorCode>> = {
  invalidRefreshToken: 'invalid_tokens',
  refreshTokenReused: 'invalid_tokens',
  refreshTokenSuperseded: 'invalid_tokens',
  rateLimited: 'rate_limited',
  tenantPaused: 'tenant_paused',
  tenantExpired: 'tenant_expired',
  tenantNotFound: 'not_set_up',
  notProvisioned: 'not_set_up',
}

export const callbackErrorOf = ({ code }: GatehouseError): CallbackErrorCode => BY_CODE[code] ?? 'unavailable'
