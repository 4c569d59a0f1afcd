import { SCOPES, type Scope } from '@gatehouse/contract'

/** Where a client reads how to sign in (RFC 9728). */
const resourceMetadataUrl = (baseUrl: string): string => `${baseUrl}/.well-known/oauth-protected-resource/mcp`

/** Nothing was sent, so nothing was wrong with it: no `error` (RFC 6750, section 3.1). Clients begin to sign in on this. */
export const signInChallenge = (baseUrl: string): string =>
  `Bearer resource_metadata="${resourceMetadataUrl(baseUrl)}", scope="${SCOPES.join(' ')}"`

/** The same inside a tool's answer, where some clients look for it, and want to be told why. */
export const signInOffer = (baseUrl: string): string =>
  `${signInChallenge(baseUrl)}, error="insufficient_scope", error_description="Sign in to use this tool without a key."`

/** What was sent is not good here, now: clients refresh, and sign in again when that does not help. */
export const invalidTokenChallenge = (baseUrl: string, description: string): string =>
  `Bearer error="invalid_token", error_description="${quotable(description)}", resource_metadata="${resourceMetadataUrl(baseUrl)}", scope="${SCOPES.join(' ')}"`

/** It is good, but not for this: clients ask their user for exactly what this call needs. */
export const scopeChallenge = (baseUrl: string, needed: Scope): string =>
  `Bearer error="insufficient_scope", error_description="This needs the scope ${needed}.", scope="${needed}", resource_metadata="${resourceMetadataUrl(baseUrl)}"`

const quotable = (text: string): string => text.replaceAll(/[^\x20-\x7e]|["\\]/g, '')
