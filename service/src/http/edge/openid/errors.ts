import { type ApiErrorCode, OAUTH_ERRORS } from '@gatehouse-auth/contract'
import type { OAuthErrorCode } from '../../../domain/oauth/oauth-error.ts'
import type { Call, HttpDependencies } from '../../dependencies.ts'
import { oauthProblem } from '../../oauth/errors.ts'

/**
 * Our errors in the words of OAuth. A library that reads `invalid_grant` signs its user out, so only what has ended says so: a
 * paused or suspended project is unavailable.
 */
const NAMES: Partial<Record<ApiErrorCode, OAuthErrorCode>> = {
  invalidCode: 'invalid_grant',
  invalidRefreshToken: 'invalid_grant',
  refreshTokenReused: 'invalid_grant',
  refreshTokenSuperseded: 'invalid_grant',
  invalidRedirectUri: 'invalid_grant',
  tenantNotFound: 'invalid_client',
  tenantExpired: 'invalid_client',
  notProvisioned: 'invalid_client',
  tenantPaused: 'temporarily_unavailable',
  tenantSuspended: 'temporarily_unavailable',
  rateLimited: 'temporarily_unavailable',
  temporarilyUnavailable: 'temporarily_unavailable',
  outcomeUnknown: 'temporarily_unavailable',
  internalError: 'server_error',
}

const STATUS: Partial<Record<OAuthErrorCode, number>> = OAUTH_ERRORS

/** Reports an error of an OpenID endpoint as RFC 6749, section 5.2 defines it. */
export function openIdProblem(deps: HttpDependencies, c: Call, error: unknown): Response {
  return oauthProblem(deps, c, error, (code, status) => {
    const name = NAMES[code] ?? 'invalid_request'
    return { error: name, status: isKept(code) ? status : (STATUS[name] ?? 400) }
  })
}

/** The status of a limit and of a long body says more than that of their names. */
const isKept = (code: ApiErrorCode): boolean => code === 'rateLimited' || code === 'bodyTooLarge'

/**
 * For a program that opens an address for browsers: with the status that a browser's page has. No grant is used there (RFC 6749,
 * section 4.1.2.1).
 */
export function browserAddressProblem(deps: HttpDependencies, c: Call, error: unknown): Response {
  return oauthProblem(deps, c, error, (code, status) => {
    const name = NAMES[code]
    if (name === undefined) {
      return { error: 'invalid_request', status: isKept(code) ? status : 400 }
    }
    return { error: name === 'invalid_grant' ? 'invalid_request' : name, status }
  })
}
