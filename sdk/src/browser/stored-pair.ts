import { ACCESS_TOKEN_COOKIE } from '../session/cookies.ts'
import type { TokenPair } from '../types.ts'

const REFRESH_EARLY_MS = 30_000
const FRESH_MS = ACCESS_TOKEN_COOKIE.maxAge * 1_000 - REFRESH_EARLY_MS

export interface StoredPair extends TokenPair {
  /** By the browser's clock, which may be wrong: only the time elapsed since is used. */
  readonly storedAt: number
}

export const writeStoredPair = ({ accessToken, refreshToken }: TokenPair, now: number): string =>
  JSON.stringify({ accessToken, refreshToken, storedAt: now } satisfies StoredPair)

/** null for anything that is not a pair: other scripts write to localStorage too. */
export function readStoredPair(text: string | null): StoredPair | null {
  const { accessToken, refreshToken, storedAt } = parse(text)
  if (typeof accessToken !== 'string' || typeof refreshToken !== 'string') return null
  return { accessToken, refreshToken, storedAt: typeof storedAt === 'number' ? storedAt : 0 }
}

/** A hint for when to refresh, not a validity check. */
export const isFresh = ({ storedAt }: StoredPair, now: number): boolean => storedAt <= now && now - storedAt < FRESH_MS

function parse(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
