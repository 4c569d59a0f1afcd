import { randomBase64Url } from '../encoding.ts'
import type { TokenPair } from '../types.ts'
import { UnavailableError } from './errors.ts'
import type { DeriveKey } from './exchange.ts'
import { type ApiCall, readPair } from './read-response.ts'
import { type Clock, type RetryPolicy, withRetry } from './send.ts'

/** The service replays the response of an idempotency key for 60 s. No attempt starts so late that it could arrive after. */
const KEY_LIFETIME_MS = 50_000
const RETRY: RetryPolicy = {
  maxAttempts: 4,
  budgetMs: KEY_LIFETIME_MS,
  maxRetryAfterMs: 3_000,
  retryTimeouts: true,
}

export interface RefreshOptions {
  /** 8 to 128 visible ASCII characters. Default: derived from the client's `secret` and `bind`, or random. */
  readonly idempotencyKey?: string | undefined
  /** A random value of this session or browser that you store next to the pair. Has an effect with `secret` only. */
  readonly bind?: string | undefined
}

/** Concurrent calls with one refresh token and one `bind` share one request. */
export type Refresh = (refreshToken: string, options?: RefreshOptions) => Promise<TokenPair>

/** A refresh without a response. Only a retry with the same key reveals whether the service spent the token. */
interface UnknownOutcome {
  readonly idempotencyKey: string
  readonly startedAt: number
}

/** By browser too, where it is known: a leaked refresh token must not get a pair from memory. */
export const memoryKey = (refreshToken: string, bind: string | null | undefined): string =>
  bind ? `${bind} ${refreshToken}` : refreshToken

/** `deriveKey` is null without a secret: then every refresh has a random key, which only this process knows. */
export function createRefresh(
  call: ApiCall,
  clock: Clock,
  deriveKey: DeriveKey | null = null,
): Refresh {
  const inFlight = new Map<string, Promise<TokenPair>>()
  const unknownOutcomes = new Map<string, UnknownOutcome>()

  async function send(
    key: string,
    refreshToken: string,
    options: RefreshOptions,
  ): Promise<TokenPair> {
    const givenKey =
      options.idempotencyKey ??
      (options.bind ? await deriveKey?.(options.bind, refreshToken) : undefined)
    const earlier = givenKey === undefined ? unknownOutcomes.get(key) : undefined
    const { idempotencyKey, startedAt } = earlier ?? {
      idempotencyKey: givenKey ?? newKey(),
      startedAt: clock.now(),
    }
    const policy = { ...RETRY, budgetMs: RETRY.budgetMs - (clock.now() - startedAt) }
    try {
      const pair = readPair(
        await withRetry(policy, clock, () =>
          call(
            'refresh',
            { refresh_token: refreshToken },
            { headers: { 'Idempotency-Key': idempotencyKey } },
          ),
        ),
      )
      unknownOutcomes.delete(key)
      return pair
    } catch (error) {
      if (error instanceof UnavailableError) {
        unknownOutcomes.set(key, { idempotencyKey, startedAt })
      } else {
        unknownOutcomes.delete(key)
      }
      throw error
    }
  }

  return async (refreshToken, options = {}) => {
    const { idempotencyKey, bind } = options
    if (idempotencyKey !== undefined && !KEY_PATTERN.test(idempotencyKey)) {
      throw new TypeError('idempotencyKey must be 8 to 128 visible ASCII characters.')
    }
    for (const [key, { startedAt }] of unknownOutcomes) {
      if (clock.now() - startedAt > KEY_LIFETIME_MS) {
        unknownOutcomes.delete(key)
      }
    }
    const key = memoryKey(refreshToken, bind)
    const current = inFlight.get(key)
    if (current !== undefined) {
      return current
    }
    const started = send(key, refreshToken, options).finally(() => inFlight.delete(key))
    inFlight.set(key, started)
    return started
  }
}

const KEY_PATTERN = /^[\x21-\x7e]{8,128}$/

/** Random, not derived from the token alone: otherwise a stolen refresh token would suffice to replay its response. */
const newKey = (): string => randomBase64Url(16)
