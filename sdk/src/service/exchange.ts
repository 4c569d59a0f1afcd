import type { TokenPair } from '../types.ts'
import { API_ERRORS, type ErrorClasses } from './api-errors.ts'
import type { ApiCall } from './call.ts'
import { InvalidCodeError } from './errors.ts'
import { readPair } from './read-response.ts'
import { type RetryPolicy, systemClock, withRetry } from './retry.ts'

/** Apart from the others: pages without a server have no codes, and load less. */
export const EXCHANGE_ERRORS = {
  ...API_ERRORS,
  invalidCode: InvalidCodeError,
  // The callback URL is no longer registered: the code cannot be exchanged.
  invalidRedirectUri: InvalidCodeError,
  // Only without an Idempotency-Key: the code may be used.
  outcomeUnknown: InvalidCodeError,
} as const satisfies ErrorClasses

/** The user waits, and the service repeats the response of a key for 60 s. */
const RETRY: RetryPolicy = { maxAttempts: 3, budgetMs: 15_000, maxRetryAfterMs: 3_000, retryTimeouts: true }

export interface ExchangeOptions {
  readonly code: string
  readonly verifier: string
  /** 8 to 128 visible ASCII characters. A retry with the same key gets the same pair; with another, the session ends. */
  readonly idempotencyKey: string
}

export const createExchange =
  (call: ApiCall) =>
  async ({ code, verifier, idempotencyKey }: ExchangeOptions): Promise<TokenPair> =>
    readPair(
      await withRetry(RETRY, systemClock, () =>
        call('token', { code, code_verifier: verifier }, { headers: { 'Idempotency-Key': idempotencyKey } }),
      ),
    )
