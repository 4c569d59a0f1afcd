import { RateLimitedError, UnavailableError } from './errors.ts'

export interface RetryPolicy {
  /** Including the first attempt. */
  readonly maxAttempts: number
  /** No attempt starts later than this after the first one. */
  readonly budgetMs: number
  /** A longer `Retry-After` is not waited for: the error is thrown. */
  readonly maxRetryAfterMs: number
  readonly retryTimeouts: boolean
}

/** For idempotent calls. One retry covers the usual failure, a keep-alive connection closed by the server. */
export const RETRY_ONCE: RetryPolicy = {
  maxAttempts: 2,
  budgetMs: 10_000,
  maxRetryAfterMs: 1_000,
  retryTimeouts: false,
}

export interface Clock {
  now(): number
  sleep(ms: number): Promise<void>
}

export const systemClock: Clock = {
  // Monotonic. Next.js reports `Date.now()` in a page as an error, because its value differs between prerenderings.
  now: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}

const FIRST_BACKOFF_MS = 200

/** Retries `UnavailableError` and `RateLimitedError` by the policy, then throws the last error. */
export async function withRetry<T>(policy: RetryPolicy, clock: Clock, send: () => Promise<T>): Promise<T> {
  const started = clock.now()
  for (let attempt = 1; ; attempt++) {
    try {
      return await send()
    } catch (error) {
      const delay = retryDelay(error, attempt, policy)
      const isExhausted = attempt >= policy.maxAttempts || clock.now() + (delay ?? 0) - started > policy.budgetMs
      if (delay === null || isExhausted) throw error
      await clock.sleep(delay)
    }
  }
}

/** Milliseconds until the next attempt; null when the error is not to be retried. */
function retryDelay(error: unknown, attempt: number, policy: RetryPolicy): number | null {
  if (!(error instanceof UnavailableError || error instanceof RateLimitedError)) return null
  if (error instanceof UnavailableError && error.reason === 'timeout' && !policy.retryTimeouts) return null
  const retryAfterMs = error.retryAfterSeconds === null ? null : error.retryAfterSeconds * 1_000
  if (retryAfterMs !== null && retryAfterMs > policy.maxRetryAfterMs) return null
  if (retryAfterMs === null && error instanceof RateLimitedError) return null
  // Jitter, so that clients that failed together do not retry together.
  const backoff = FIRST_BACKOFF_MS * 3 ** (attempt - 1) * (0.75 + Math.random() / 2)
  return Math.max(retryAfterMs ?? 0, backoff)
}
