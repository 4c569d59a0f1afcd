import { createHash } from 'node:crypto'
import { constantTimeEqual } from '../tokens/secret.ts'

/** S256 of anything is 32 bytes, and that is 43 characters of base64url. `plain` is not taken (OAuth 2.1). */
export const isChallenge = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text)

/** RFC 7636, section 4.1. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/

/** S256 of a verifier. */
export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')

/** Required and equal, never "if present" (authentik CVE-2023-48228). */
export const fitsChallenge = (verifier: string, challenge: string): boolean =>
  VERIFIER.test(verifier) && constantTimeEqual(challengeOf(verifier), challenge)
