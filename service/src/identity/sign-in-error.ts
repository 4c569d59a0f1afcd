import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import type { SignInStage } from '../domain/login/identity-provider.ts'
import type { ProfileFault } from '../domain/login/profile.ts'

/**
 * The service's own values of `error_code` in `login_failed` events. The only other values are the provider's OAuth error
 * codes (`invalid_grant`, `invalid_token`, …).
 */
const SIGN_IN_ERRORS = {
  busy: 'Too many sign-ins were waiting for the provider.',
  timeout: 'The provider did not respond completely in time.',
  unreachable: 'The provider could not be reached: name, connection or TLS.',
  redirected: 'The provider redirected a direct request. Such redirects are not followed.',
  answer_too_large: 'The response of the provider exceeds the size limit.',
  malformed_answer: 'The response of the provider is not the expected JSON, or lacks a required field.',
  provider_error: 'The provider returned an error without an OAuth code.',
  invalid_id_token: 'The audience, nonce or validity period of the ID token does not match.',
  insecure_endpoint: 'An endpoint in the metadata of the provider does not use TLS.',
  subject_mismatch: 'The ID token and the userinfo response have different subjects.',
  subject_invalid: 'The subject is missing or cannot be stored unchanged.',
  email_missing: 'The provider returned no email address.',
  email_unverified: 'The provider has not verified the email address.',
  email_invalid: 'The email address is ambiguous.',
  unexpected: 'Any other error. The log has the details.',
} as const satisfies Record<string, string> & Record<ProfileFault, string>

export type SignInError = keyof typeof SIGN_IN_ERRORS

/** An error with one of the codes above. Libraries may wrap it as a cause; `errorCode` finds it. */
export class ProviderFault extends Error {
  override readonly name = 'ProviderFault'
  readonly code: SignInError

  constructor(code: SignInError, options?: ErrorOptions) {
    super(SIGN_IN_ERRORS[code], options)
    this.code = code
  }
}

/** The `error_code` for an error that was thrown at this stage. */
export function errorCode(stage: SignInStage, thrown: unknown): string {
  for (const error of causes(thrown)) {
    if (error instanceof ProviderFault) return error.code
    if (error instanceof ResponseBodyError || error instanceof AuthorizationResponseError) return oauthCode(error.error)
    if (error instanceof WWWAuthenticateChallengeError) return oauthCode(error.cause[0]?.parameters.error)
    // A 429 or 502 may have an HTML body; the status alone decides.
    if (error.cause instanceof Response && !error.cause.ok) return 'provider_error'
    const known =
      error instanceof ClientError && error.code !== undefined ? LIBRARY_CODES[stage][error.code] : undefined
    if (known !== undefined) return known
  }
  return 'unexpected'
}

/** Prevents injection into events and pages: the provider chooses this text, so only a plain code is kept. */
const oauthCode = (code: string | undefined): string =>
  code !== undefined && /^[a-z_]{1,40}$/.test(code) ? code : 'provider_error'

const ANY_STAGE: Readonly<Record<string, SignInError>> = {
  OAUTH_RESPONSE_IS_NOT_CONFORM: 'provider_error',
  OAUTH_RESPONSE_IS_NOT_JSON: 'malformed_answer',
  OAUTH_PARSE_ERROR: 'malformed_answer',
  OAUTH_INVALID_RESPONSE: 'malformed_answer',
  OAUTH_INVALID_SERVER_METADATA: 'malformed_answer',
  OAUTH_MISSING_SERVER_METADATA: 'malformed_answer',
  OAUTH_UNSUPPORTED_OPERATION: 'malformed_answer',
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: 'invalid_id_token',
  OAUTH_JWT_CLAIM_COMPARISON_FAILED: 'invalid_id_token',
  OAUTH_HTTP_REQUEST_FORBIDDEN: 'insecure_endpoint',
  OAUTH_REQUEST_PROTOCOL_FORBIDDEN: 'insecure_endpoint',
}

/** One library code has two meanings: discovery returned another issuer, or userinfo another subject. */
const LIBRARY_CODES: Readonly<Record<SignInStage, Readonly<Record<string, SignInError>>>> = {
  token_exchange: { ...ANY_STAGE, OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: 'malformed_answer' },
  userinfo: { ...ANY_STAGE, OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: 'subject_mismatch' },
}

/**
 * Prevents tokens in the log: the library attaches whole token responses to its errors, and a JSON parser quotes its input.
 * Keeps only names, codes and fixed messages.
 */
export function loggable(thrown: unknown): Error {
  const descriptions = causes(thrown).map((error) => {
    const code = 'code' in error && typeof error.code === 'string' ? ` ${error.code}` : ''
    return error instanceof SyntaxError ? error.name : `${error.name}${code}: ${error.message}`
  })
  return new Error(descriptions.join(' < ') || 'something that is not an error was thrown')
}

function causes(thrown: unknown): Error[] {
  const errors: Error[] = []
  for (let next = thrown; next instanceof Error && !errors.includes(next); next = next.cause) errors.push(next)
  return errors
}
