import { ACCESS_TOKEN_COOKIE } from './cookies.ts'
import type { TokenPair } from './types.ts'

const REFRESH_AHEAD_MS = 30_000
const GOOD_FOR_MS = ACCESS_TOKEN_COOKIE.maxAge * 1_000 - REFRESH_AHEAD_MS

export interface StoredPair extends TokenPair {
  /** By this browser's own clock, which may be wrong: only what has passed since is counted. */
  readonly storedAt: number
}

export const writeStoredPair = ({ accessToken, refreshToken }: TokenPair, now: number): string =>
  JSON.stringify({ accessToken, refreshToken, storedAt: now } satisfies StoredPair)

/** null for whatever is not a pair: people and other programs write into localStorage too. */
export function readStoredPair(text: string | null): StoredPair | null {
  const { accessToken, refreshToken, storedAt } = parse(text)
  if (typeof accessToken !== 'string' || typeof refreshToken !== 'string') return null
  return { accessToken, refreshToken, storedAt: typeof storedAt === 'number' ? storedAt : 0 }
}

/** A hint for when to refresh, and never a check. */
export const isFresh = ({ storedAt }: StoredPair, now: number): boolean =>
  storedAt <= now && now - storedAt < GOOD_FOR_MS

function parse(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
