import { createHash } from 'node:crypto'
import { SECRET_PREFIXES } from '@gatehouse-auth/contract'
import type { Keyring } from '../tokens/keyring.ts'
import { constantTimeEqual, is256Bits, mintSecret } from '../tokens/secret.ts'

/** Codes, access tokens and refresh tokens (decision 14). Each has its own prefix, hash input and table. */
const PREFIXES = {
  code: SECRET_PREFIXES.oauthCode,
  access: SECRET_PREFIXES.oauthAccessToken,
  refresh: SECRET_PREFIXES.oauthRefreshToken,
} as const

type OAuthSecret = keyof typeof PREFIXES

/**
 * The code of an approval. Derived, because a repeated decision must return the same code (decision 43). It is as hard to
 * guess as a random one: the approval's id and the browser's cookie have 256 random bits each, and the key is secret.
 */
export const deriveCode = (
  keyring: Keyring,
  approvalId: string,
  browser: string,
  kid?: number,
): string => PREFIXES.code + keyring.mac('oauth-code', `${approvalId}\0${browser}`, kid)

export const mintOAuthSecret = (kind: OAuthSecret, random: (bytes: number) => Uint8Array): string =>
  mintSecret(PREFIXES[kind], random)

/**
 * The successor of a refresh token. Derived, so that a client whose response was lost, or whose sessions share one stored
 * token, gets the same successor again (decision 44). Only hashes are stored, so the key and the presented token are needed.
 */
export const nextRefreshToken = (keyring: Keyring, presented: string, kid?: number): string =>
  PREFIXES.refresh + keyring.mac('oauth-refresh-next', presented, kid)

/** Text in another format is rejected without a query. */
export const hasTokenFormat = (kind: OAuthSecret, text: string): boolean =>
  text.startsWith(PREFIXES[kind]) && is256Bits(text.slice(PREFIXES[kind].length))

/** RFC 7636, section 4.1. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/

export const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url')

/** The verifier is always required, never only "if present" (authentik CVE-2023-48228). */
export const fitsChallenge = (verifier: string, challenge: string): boolean =>
  VERIFIER.test(verifier) && constantTimeEqual(challengeOf(verifier), challenge)
