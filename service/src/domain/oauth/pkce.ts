import { createHash } from 'node:crypto'
import { constantTimeEqual } from '../tokens/secret.ts'

/** A SHA-256 hash in base64url. `plain` is not supported (OAuth 2.1). */
export const isChallenge = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text)

/** RFC 7636, section 4.1. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/

export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')

/** The verifier is always required, never only "if present" (authentik CVE-2023-48228). */
export const fitsChallenge = (verifier: string, challenge: string): boolean =>
  VERIFIER.test(verifier) && constantTimeEqual(challengeOf(verifier), challenge)
