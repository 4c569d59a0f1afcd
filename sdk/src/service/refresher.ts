import { randomBase64Url } from '../random-bytes.ts'
import type { TokenPair } from '../types.ts'
import type { ApiCall } from './call.ts'
import { UnavailableError } from './errors.ts'
import { readPair } from './read-response.ts'
import { type Clock, type RetryPolicy, withRetry } from './retry.ts'

/** The service replays the response of an idempotency key for 60 s. No attempt starts so late that it could arrive after. */
const KEY_LIFETIME_MS = 50_000
const RETRY: RetryPolicy = { maxAttempts: 4, budgetMs: KEY_LIFETIME_MS, maxRetryAfterMs: 3_000, retryTimeouts: true }

/** Serves requests that arrive with the spent refresh token shortly after its refresh. */
const RECENT_MS = 10_000

/** For a pair that reached no client, because the service failed between the refresh and its verification. */
const UNDELIVERED_MS = 600_000

export interface RefreshOptions {
  /** 8 to 128 visible ASCII characters. Default: a random key. */
  readonly idempotencyKey?: string
}

export interface Refresher {
  /** Concurrent calls with one refresh token share one request. */
  refresh(refreshToken: string, options?: RefreshOptions): Promise<TokenPair>
  /** The pair that this process got for this refresh token within the last ten seconds. */
  recentPair(refreshToken: string): TokenPair | null
  /** Keeps a recent pair for ten minutes, because it was not delivered: without it the user loses the session. */
  keepUndelivered(refreshToken: string): void
}

/** A refresh without a response. Only a retry with the same key reveals whether the service spent the token. */
interface UnknownOutcome {
  readonly idempotencyKey: string
  readonly startedAt: number
}

export function createRefresher(call: ApiCall, clock: Clock): Refresher {
  const inFlight = new Map<string, Promise<TokenPair>>()
  const recent = new Map<string, { readonly pair: TokenPair; readonly until: number }>()
  const unknownOutcomes = new Map<string, UnknownOutcome>()

  async function send(refreshToken: string, givenKey: string | undefined): Promise<TokenPair> {
    const earlier = givenKey === undefined ? unknownOutcomes.get(refreshToken) : undefined
    const { idempotencyKey, startedAt } = earlier ?? { idempotencyKey: givenKey ?? newKey(), startedAt: clock.now() }
    const policy = { ...RETRY, budgetMs: RETRY.budgetMs - (clock.now() - startedAt) }
    try {
      const response = await withRetry(policy, clock, () =>
        call('refresh', { refresh_token: refreshToken }, { idempotencyKey }),
      )
      const pair = readPair(response)
      unknownOutcomes.delete(refreshToken)
      recent.set(refreshToken, { pair, until: clock.now() + RECENT_MS })
      return pair
    } catch (error) {
      if (error instanceof UnavailableError) unknownOutcomes.set(refreshToken, { idempotencyKey, startedAt })
      else unknownOutcomes.delete(refreshToken)
      throw error
    }
  }

  function removeExpired(): void {
    const now = clock.now()
    for (const [token, { until }] of recent) if (now > until) recent.delete(token)
    for (const [token, { startedAt }] of unknownOutcomes)
      if (now - startedAt > KEY_LIFETIME_MS) unknownOutcomes.delete(token)
  }

  return {
    async refresh(refreshToken, { idempotencyKey } = {}) {
      if (idempotencyKey !== undefined && !KEY_PATTERN.test(idempotencyKey)) {
        throw new TypeError('idempotencyKey must be 8 to 128 visible ASCII characters.')
      }
      removeExpired()
      const current = inFlight.get(refreshToken)
      if (current !== undefined) return current
      const started = send(refreshToken, idempotencyKey).finally(() => inFlight.delete(refreshToken))
      inFlight.set(refreshToken, started)
      return started
    },
    recentPair(refreshToken) {
      removeExpired()
      return recent.get(refreshToken)?.pair ?? null
    },
    keepUndelivered(refreshToken) {
      const known = recent.get(refreshToken)
      if (known !== undefined) recent.set(refreshToken, { ...known, until: clock.now() + UNDELIVERED_MS })
    },
  }
}

const KEY_PATTERN = /^[\x21-\x7e]{8,128}$/

/** Random, not derived from the token: otherwise a stolen refresh token would suffice to replay its response. */
const newKey = (): string => randomBase64Url(16)
