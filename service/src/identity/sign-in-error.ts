import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import type { SignInStage } from '../domain/login/identity-provider.ts'
import type { ProfileFault } from '../domain/login/profile.ts'

/**
 * Every word of our own that a failed sign-in can end with (`login_failed`, `error_code`), and what it means. The only
 * other words are OAuth's (`invalid_grant`, `invalid_token`, …), kept when the provider sent one.
 */
const SIGN_IN_ERRORS = {
  busy: 'Too many sign-ins were waiting for the provider.',
  timeout: 'The provider did not finish answering in time.',
  unreachable: 'The provider could not be reached: name, connection or TLS.',
  redirected: 'The provider answered a direct request with a redirect. We do not follow those.',
  answer_too_large: 'The provider sent more than we read.',
  malformed_answer: 'The provider sent something that is not the JSON we asked for, or lacks a field it must have.',
  provider_error: 'The provider answered with an error that has no OAuth code.',
  invalid_id_token: 'The ID token is not for us, not for this login, or not for now.',
  insecure_endpoint: 'The provider named an address without TLS.',
  subject_mismatch: 'The ID token and the userinfo answer are about different people.',
  subject_invalid: 'The subject is missing, or cannot be stored as it is.',
  email_missing: 'The provider gave no e-mail address.',
  email_unverified: 'The provider has not verified the e-mail address.',
  email_invalid: 'The e-mail address could be read in two ways.',
  unexpected: 'Something else. The log has the details.',
} as const satisfies Record<string, string> & Record<ProfileFault, string>

export type SignInError = keyof typeof SIGN_IN_ERRORS

/** A fault we named ourselves while talking to the provider. Libraries may wrap it; `errorCode` digs it out. */
export class ProviderFault extends Error {
  override readonly name = 'ProviderFault'
  readonly code: SignInError

  constructor(code: SignInError, options?: ErrorOptions) {
    super(SIGN_IN_ERRORS[code], options)
    this.code = code
  }
}

/** The one word for whatever was thrown at this stage. */
export function errorCode(stage: SignInStage, thrown: unknown): string {
  for (const error of causes(thrown)) {
    if (error instanceof ProviderFault) return error.code
    if (error instanceof ResponseBodyError || error instanceof AuthorizationResponseError) return oauthCode(error.error)
    if (error instanceof WWWAuthenticateChallengeError) return oauthCode(error.cause[0]?.parameters.error)
    // Whatever page came with a 429 or a 502: the status is the answer.
    if (error.cause instanceof Response && !error.cause.ok) return 'provider_error'
    const known =
      error instanceof ClientError && error.code !== undefined ? LIBRARY_CODES[stage][error.code] : undefined
    if (known !== undefined) return known
  }
  return 'unexpected'
}

/** The provider chooses these words, and they end up in events and pages: a word that is not a plain code is dropped. */
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

/** One library code means two things: discovery found another issuer, or userinfo another subject. */
const LIBRARY_CODES: Readonly<Record<SignInStage, Readonly<Record<string, SignInError>>>> = {
  token_exchange: { ...ANY_STAGE, OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: 'malformed_answer' },
  userinfo: { ...ANY_STAGE, OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: 'subject_mismatch' },
}

/**
 * The same error, fit for a log. The library hangs whole answers on its errors, and an answer of the token endpoint
 * holds tokens; a JSON parser quotes what it choked on. So only names, codes and fixed messages are kept.
 */
export function loggable(thrown: unknown): Error {
  const words = causes(thrown).map((error) => {
    const code = 'code' in error && typeof error.code === 'string' ? ` ${error.code}` : ''
    return error instanceof SyntaxError ? error.name : `${error.name}${code}: ${error.message}`
  })
  return new Error(words.join(' < ') || 'something that is not an error was thrown')
}

function causes(thrown: unknown): Error[] {
  const errors: Error[] = []
  for (let next = thrown; next instanceof Error && !errors.includes(next); next = next.cause) errors.push(next)
  return errors
}
