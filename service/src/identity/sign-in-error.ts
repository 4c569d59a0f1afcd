import type {
  AuthorizationResponseError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import {
  type IdentityProvider,
  LOGIN_FAILURES,
  type LoginFailureCode,
  PROVIDER_ERRORS,
  type SignInStage,
} from '../domain/login/identity-provider.ts'
import { ReadResponse } from './read-response.ts'

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
    if (error instanceof ProviderFault) {
      return error.code
    }
    if (isResponseBodyError(error) || isAuthorizationError(error)) {
      return providerErrorCode(error.error)
    }
    if (isChallenge(error)) {
      return providerErrorCode(error.cause[0]?.parameters.error)
    }
    // A 429 or 502 may have an HTML body; the status alone decides.
    if (error.cause instanceof ReadResponse && !error.cause.ok) {
      return 'provider_error'
    }
    const known = LIBRARY_CODES[stage].get(codeOf(error))
    if (known !== undefined) {
      return known
    }
  }
  return 'unexpected'
}

/** The `error` of an authorization response, or undefined if it was another error. */
export const authorizationError = (thrown: unknown): string | undefined =>
  thrown instanceof Error && isAuthorizationError(thrown) ? thrown.error : undefined

const DESCRIPTION_MAX = 300

/** The provider's own words about an error (RFC 6749, section 4.1.2.1), on one line; null if it sent none. */
export function errorDescription(thrown: unknown): string | null {
  const said = causes(thrown).find(
    (error) => isResponseBodyError(error) || isAuthorizationError(error),
  )
  const text = said?.error_description?.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  return text ? text.slice(0, DESCRIPTION_MAX) : null
}

/** Compares the code, because `instanceof` would load openid-client at the start. */
const hasCode =
  <E extends Error & { readonly code: string }>(code: E['code']) =>
  (error: Error): error is E =>
    codeOf(error) === code

const isResponseBodyError = hasCode<ResponseBodyError>('OAUTH_RESPONSE_BODY_ERROR')
const isAuthorizationError = hasCode<AuthorizationResponseError>(
  'OAUTH_AUTHORIZATION_RESPONSE_ERROR',
)
const isChallenge = hasCode<WWWAuthenticateChallengeError>('OAUTH_WWW_AUTHENTICATE_CHALLENGE')

const codeOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? error.code : ''

/** Prevents injection into events and pages: the provider chooses this text, so only a listed code is kept. */
export const providerErrorCode = (code: string | undefined): LoginFailureCode =>
  code !== undefined && Object.hasOwn(PROVIDER_ERRORS, code)
    ? (code as keyof typeof PROVIDER_ERRORS)
    : 'provider_error'

const ANY_STAGE: readonly (readonly [string, LoginFailureCode])[] = [
  ['OAUTH_RESPONSE_IS_NOT_CONFORM', 'provider_error'],
  ['OAUTH_RESPONSE_IS_NOT_JSON', 'malformed_answer'],
  ['OAUTH_PARSE_ERROR', 'malformed_answer'],
  ['OAUTH_INVALID_RESPONSE', 'malformed_answer'],
  ['OAUTH_INVALID_SERVER_METADATA', 'malformed_answer'],
  ['OAUTH_MISSING_SERVER_METADATA', 'malformed_answer'],
  ['OAUTH_UNSUPPORTED_OPERATION', 'malformed_answer'],
  ['OAUTH_JWT_TIMESTAMP_CHECK_FAILED', 'invalid_id_token'],
  ['OAUTH_JWT_CLAIM_COMPARISON_FAILED', 'invalid_id_token'],
  ['OAUTH_HTTP_REQUEST_FORBIDDEN', 'insecure_endpoint'],
  ['OAUTH_REQUEST_PROTOCOL_FORBIDDEN', 'insecure_endpoint'],
]

/** One library code has two meanings: discovery returned another issuer, or userinfo another subject. */
const LIBRARY_CODES: Readonly<Record<SignInStage, ReadonlyMap<string, LoginFailureCode>>> = {
  token_exchange: new Map([
    ...ANY_STAGE,
    ['OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED', 'malformed_answer'],
  ]),
  userinfo: new Map([...ANY_STAGE, ['OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED', 'subject_mismatch']]),
}

/**
 * Prevents tokens in the log: the library attaches whole token responses to its errors, and a JSON parser quotes its input.
 * Keeps only names, codes and fixed messages.
 */
export function loggable(thrown: unknown): Error {
  const descriptions = causes(thrown).map(describe)
  return new Error(descriptions.join(' < ') || 'something that is not an error was thrown')
}

function describe(error: Error): string {
  if (error instanceof SyntaxError) {
    return error.name
  }
  const code = codeOf(error)
  return code === '' ? `${error.name}: ${error.message}` : `${error.name} ${code}: ${error.message}`
}

function causes(thrown: unknown): Error[] {
  const errors: Error[] = []
  for (let next = thrown; next instanceof Error && !errors.includes(next); next = next.cause) {
    errors.push(next)
  }
  return errors
}

/** Also bounds the outgoing requests, because a sign-in makes its requests one after another. */
const SIGN_INS_IN_FLIGHT = 200

/** Rejects a sign-in while too many wait for the provider, before the exchange, so that its code is not consumed. */
export function limitSignIns(identify: IdentityProvider['signIn']): IdentityProvider['signIn'] {
  let inFlight = 0
  return async (response) => {
    if (inFlight >= SIGN_INS_IN_FLIGHT) {
      return { outcome: 'failed', stage: 'token_exchange', errorCode: 'busy' }
    }
    inFlight += 1
    try {
      return await identify(response)
    } finally {
      inFlight -= 1
    }
  }
}
