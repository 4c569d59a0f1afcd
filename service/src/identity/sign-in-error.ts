import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import {
  LOGIN_FAILURES,
  type LoginFailureCode,
  PROVIDER_ERRORS,
  type SignInStage,
} from '../domain/login/identity-provider.ts'

/** An error with the `error_code` of its event. Libraries may wrap it as a cause; `errorCode` finds it. */
export class ProviderFault extends Error {
  override readonly name = 'ProviderFault'
  readonly code: LoginFailureCode

  constructor(code: LoginFailureCode, options?: ErrorOptions) {
    super(LOGIN_FAILURES[code], options)
    this.code = code
  }
}

/** The `error_code` for an error that was thrown at this stage. */
export function errorCode(stage: SignInStage, thrown: unknown): LoginFailureCode {
  for (const error of causes(thrown)) {
    if (error instanceof ProviderFault) return error.code
    if (error instanceof ResponseBodyError || error instanceof AuthorizationResponseError)
      return providerErrorCode(error.error)
    if (error instanceof WWWAuthenticateChallengeError) return providerErrorCode(error.cause[0]?.parameters.error)
    // A 429 or 502 may have an HTML body; the status alone decides.
    if (error.cause instanceof Response && !error.cause.ok) return 'provider_error'
    const known =
      error instanceof ClientError && error.code !== undefined ? LIBRARY_CODES[stage][error.code] : undefined
    if (known !== undefined) return known
  }
  return 'unexpected'
}

/** Prevents injection into events and pages: the provider chooses this text, so only a listed code is kept. */
export const providerErrorCode = (code: string | undefined): LoginFailureCode =>
  code !== undefined && Object.hasOwn(PROVIDER_ERRORS, code) ? (code as keyof typeof PROVIDER_ERRORS) : 'provider_error'

const ANY_STAGE: Readonly<Record<string, LoginFailureCode>> = {
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
const LIBRARY_CODES: Readonly<Record<SignInStage, Readonly<Record<string, LoginFailureCode>>>> = {
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
