import { SCOPES, type Scope } from '@gatehouse/contract'

/** The protected resource metadata, which names the authorization server (RFC 9728, section 5.1). */
const resourceMetadataUrl = (baseUrl: string): string => `${baseUrl}/.well-known/oauth-protected-resource/mcp`

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
