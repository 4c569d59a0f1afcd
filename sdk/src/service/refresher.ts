import { randomBase64Url } from '../base64url.ts'
import type { TokenPair } from '../types.ts'
import type { DeriveKey } from './bound-key.ts'
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
  /** 8 to 128 visible ASCII characters. Default: derived from the client's `secret` and `bind`, or random. */
  readonly idempotencyKey?: string | undefined
  /** A random value of this session or browser that you store next to the pair. Has an effect with `secret` only. */
  readonly bind?: string | undefined
}

export interface Refresher {
  /** Concurrent calls with one refresh token and one `bind` share one request. */
  refresh(refreshToken: string, options?: RefreshOptions): Promise<TokenPair>
  /** The pair that this process got for this refresh token and `bind` within the last ten seconds. */
  recentPair(refreshToken: string, bind?: string | null): TokenPair | null
  /** Keeps a recent pair for ten minutes, because it was not delivered: without it the user loses the session. */
  keepUndelivered(refreshToken: string, bind?: string | null): void
}

/** A refresh without a response. Only a retry with the same key reveals whether the service spent the token. */
interface UnknownOutcome {
  readonly idempotencyKey: string
  readonly startedAt: number
}

/** `deriveKey` is null without a secret: then every refresh has a random key, which only this process knows. */
export function createRefresher(call: ApiCall, clock: Clock, deriveKey: DeriveKey | null = null): Refresher {
  const inFlight = new Map<string, Promise<TokenPair>>()
  const recent = new Map<string, { readonly pair: TokenPair; readonly until: number }>()
  const unknownOutcomes = new Map<string, UnknownOutcome>()

  /** By browser too, where it is known: a leaked refresh token must not get a pair from memory. */
  const entryOf = (refreshToken: string, bind: string | null | undefined): string =>
    deriveKey === null ? refreshToken : `${bind ?? ''} ${refreshToken}`

  async function send(entry: string, refreshToken: string, options: RefreshOptions): Promise<TokenPair> {
    const givenKey =
      options.idempotencyKey ?? (options.bind ? await deriveKey?.(options.bind, refreshToken) : undefined)
    const earlier = givenKey === undefined ? unknownOutcomes.get(entry) : undefined
    const { idempotencyKey, startedAt } = earlier ?? { idempotencyKey: givenKey ?? newKey(), startedAt: clock.now() }
    const policy = { ...RETRY, budgetMs: RETRY.budgetMs - (clock.now() - startedAt) }
    try {
      const response = await withRetry(policy, clock, () =>
        call('refresh', { refresh_token: refreshToken }, { idempotencyKey }),
      )
      const pair = readPair(response)
      unknownOutcomes.delete(entry)
      recent.set(entry, { pair, until: clock.now() + RECENT_MS })
      return pair
    } catch (error) {
      if (error instanceof UnavailableError) unknownOutcomes.set(entry, { idempotencyKey, startedAt })
      else unknownOutcomes.delete(entry)
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
    async refresh(refreshToken, options = {}) {
      const { idempotencyKey, bind } = options
      if (idempotencyKey !== undefined && !KEY_PATTERN.test(idempotencyKey)) {
        throw new TypeError('idempotencyKey must be 8 to 128 visible ASCII characters.')
      }
      removeExpired()
      const entry = entryOf(refreshToken, bind)
      const current = inFlight.get(entry)
      if (current !== undefined) return current
      const started = send(entry, refreshToken, options).finally(() => inFlight.delete(entry))
      inFlight.set(entry, started)
      return started
    },
    recentPair(refreshToken, bind) {
      removeExpired()
      return recent.get(entryOf(refreshToken, bind))?.pair ?? null
    },
    keepUndelivered(refreshToken, bind) {
      const entry = entryOf(refreshToken, bind)
      const known = recent.get(entry)
      if (known !== undefined) recent.set(entry, { ...known, until: clock.now() + UNDELIVERED_MS })
    },
  }
}

const KEY_PATTERN = /^[\x21-\x7e]{8,128}$/

/** Random, not derived from the token alone: otherwise a stolen refresh token would suffice to replay its response. */
const newKey = (): string => randomBase64Url(16)
