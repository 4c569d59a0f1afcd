import { HEADERS, SCOPES, type Scope } from '@gatehouse-auth/contract'
import type { ApiError, Unavailable } from '../../domain/api-error.ts'
import type { Call } from '../dependencies.ts'
import { problemOf } from '../problem.ts'

/** Error codes of JSON-RPC 2.0, section 5.1. */
export const PARSE_ERROR = -32700
export const INVALID_REQUEST = -32600
export const INVALID_PARAMS = -32602
export const INTERNAL_ERROR = -32603

export type RpcId = string | number | null

/** A JSON-RPC error for a request that never reaches the MCP library, or that failed in the service. */
export function rpcError(
  c: Call,
  status: 400 | 403 | 405 | 413 | 415 | 500 | 503,
  code: number,
  message: string,
  id: RpcId = null,
): Response {
  return c.json({ jsonrpc: '2.0', id, error: { code, message } }, status)
}

/** 401 without `error`, because the request contained no credential (RFC 6750, section 3.1). */
export function signInRequired(c: Call, baseUrl: string): Response {
  c.header('WWW-Authenticate', signInChallenge(baseUrl))
  return c.json(
    { error: 'unauthorized', error_description: 'Sign in first: send an OAuth access token.' },
    401,
  )
}

export function invalidToken(c: Call, baseUrl: string, { message }: ApiError): Response {
  c.header('WWW-Authenticate', invalidTokenChallenge(baseUrl, message))
  return c.json({ error: 'invalid_token', error_description: message }, 401)
}

export function insufficientScope(c: Call, baseUrl: string, scope: Scope): Response {
  c.header('WWW-Authenticate', scopeChallenge(baseUrl, scope))
  return c.json(
    { error: 'insufficient_scope', error_description: `This needs the scope ${scope}.`, scope },
    403,
  )
}

/**
 * 503 with Retry-After. It has no WWW-Authenticate challenge: that would make clients discard a token that is still valid
 * (spec, Errors).
 */
export function unavailable(c: Call, error: Unavailable, id: RpcId): Response {
  c.header(HEADERS.retryAfter, String(error.retryAfterSeconds))
  const { code, message } = problemOf(error)
  return rpcError(
    c,
    503,
    INTERNAL_ERROR,
    code === 'outcomeUnknown' ? `${code}: ${message}` : message,
    id,
  )
}

/** The protected resource metadata, which names the authorization server (RFC 9728, section 5.1). */
const resourceMetadataUrl = (baseUrl: string): string =>
  `${baseUrl}/.well-known/oauth-protected-resource/mcp`

/** Starts the sign-in of a client that sent no credential, therefore without `error` (RFC 6750, section 3.1). */
export const signInChallenge = (baseUrl: string): string =>
  `Bearer resource_metadata="${resourceMetadataUrl(baseUrl)}", scope="${SCOPES.join(' ')}"`

/** The challenge inside a tool result, where some clients look for it. They expect an `error` there. */
export const signInOffer = (baseUrl: string): string =>
  `${signInChallenge(baseUrl)}, error="insufficient_scope", error_description="Sign in to use this tool without a key."`

/** The token is invalid, expired or revoked: clients refresh, and sign in again if that fails. */
export const invalidTokenChallenge = (baseUrl: string, description: string): string =>
  `Bearer error="invalid_token", error_description="${quotable(description)}", resource_metadata="${resourceMetadataUrl(baseUrl)}", scope="${SCOPES.join(' ')}"`

/** The token is valid but lacks a scope: clients request exactly this one (RFC 6750, section 3.1). */
export const scopeChallenge = (baseUrl: string, needed: Scope): string =>
  `Bearer error="insufficient_scope", error_description="This needs the scope ${needed}.", scope="${needed}", resource_metadata="${resourceMetadataUrl(baseUrl)}"`

/** Prevents header injection: only characters of a quoted-string without escapes remain (RFC 9110, section 5.6.4). */
const quotable = (text: string): string => text.replaceAll(/[^\x20-\x7e]|["\\]/g, '')
