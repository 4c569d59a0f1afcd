import { parseJson, recordOf } from '../json.ts'
import { ACCESS_TOKEN_SECONDS } from '../session/cookies.ts'
import type { TokenPair } from '../types.ts'

const REFRESH_EARLY_MS = 30_000
const FRESH_MS = ACCESS_TOKEN_SECONDS * 1_000 - REFRESH_EARLY_MS

export interface StoredPair extends TokenPair {
  /** By the browser's clock, which may be wrong: only the time elapsed since is used. */
  readonly storedAt: number
}

export const writeStoredPair = ({ accessToken, refreshToken }: TokenPair, now: number): string =>
  JSON.stringify({ accessToken, refreshToken, storedAt: now } satisfies StoredPair)

/** null for anything that is not a pair: other scripts write to localStorage too. */
export function readStoredPair(text: string | null): StoredPair | null {
  const { accessToken, refreshToken, storedAt } = recordOf(parseJson(text ?? ''))
  if (typeof accessToken !== 'string' || typeof refreshToken !== 'string') return null
  return { accessToken, refreshToken, storedAt: typeof storedAt === 'number' ? storedAt : 0 }
}

/** A hint for when to refresh, not a validity check. */
export const isFresh = ({ storedAt }: StoredPair, now: number): boolean => storedAt <= now && now - storedAt < FRESH_MS
