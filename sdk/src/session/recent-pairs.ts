import { memoryKey, type Refresh } from '../service/refresher.ts'
import type { Clock } from '../service/retry.ts'
import type { TokenPair } from '../types.ts'

/** Serves requests that arrive with the spent refresh token shortly after its refresh. */
const RECENT_MS = 10_000

/** For a pair that reached no client, because the service failed between the refresh and its verification. */
const UNDELIVERED_MS = 600_000

export interface Refresher {
  readonly refresh: Refresh
  /** The pair that this process got for this refresh token and `bind` within the last ten seconds. */
  recentPair(refreshToken: string, bind?: string | null): TokenPair | null
  /** Keeps a recent pair for ten minutes, because it was not delivered: without it the user loses the session. */
  keepUndelivered(refreshToken: string, bind?: string | null): void
}

export function withRecentPairs(refresh: Refresh, clock: Clock): Refresher {
  const recent = new Map<string, { readonly pair: TokenPair; readonly until: number }>()
  /**
   * `refresh` forgets its request some turns of the event loop before the pair is in `recent`. A call in between would
   * spend the token a second time.
   */
  const unrecorded = new Map<string, Promise<TokenPair>>()
  const removeExpired = (): void => {
    for (const [key, { until }] of recent) if (clock.now() > until) recent.delete(key)
  }
  return {
    async refresh(refreshToken, options) {
      removeExpired()
      const key = memoryKey(refreshToken, options?.bind)
      const current = unrecorded.get(key)
      if (current !== undefined) return current
      const started = refresh(refreshToken, options)
        .then((pair) => {
          recent.set(key, { pair, until: clock.now() + RECENT_MS })
          return pair
        })
        .finally(() => unrecorded.delete(key))
      unrecorded.set(key, started)
      return started
    },
    recentPair(refreshToken, bind) {
      removeExpired()
      return recent.get(memoryKey(refreshToken, bind))?.pair ?? null
    },
    keepUndelivered(refreshToken, bind) {
      const key = memoryKey(refreshToken, bind)
      const known = recent.get(key)
      if (known !== undefined) recent.set(key, { ...known, until: clock.now() + UNDELIVERED_MS })
    },
  }
}
