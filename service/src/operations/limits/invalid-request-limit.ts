import { type ApiErrorCode, BODY_ERRORS, INVALID_REQUESTS_PER_MINUTE } from '@gatehouse/contract'
import { ApiError } from '../../domain/api-error.ts'
import { minuteEnd, minuteStart } from '../../domain/limits/windows.ts'
import type { Context } from '../context.ts'

const INVALID: ReadonlySet<ApiErrorCode> = new Set(['invalidRequest', ...BODY_ERRORS])

/**
 * Limits invalid requests of each tenant and OAuth grant. Counted in memory, per process: a row would cost more than the
 * response that it limits. Valid requests are neither counted nor refused.
 */
export class InvalidRequestLimit {
  readonly #now: Context['now']
  #minute = 0
  #sent = new Map<string, number>()

  constructor(now: Context['now']) {
    this.#now = now
  }

  /** The error for the response to this caller: `rateLimited` instead of one more description of its mistakes. */
  apply(caller: string, error: unknown): unknown {
    if (!(error instanceof ApiError) || !INVALID.has(error.code)) return error
    const now = this.#now()
    if (minuteStart(now) !== this.#minute) {
      this.#minute = minuteStart(now)
      this.#sent = new Map()
    }
    const sent = (this.#sent.get(caller) ?? 0) + 1
    this.#sent.set(caller, sent)
    return sent <= INVALID_REQUESTS_PER_MINUTE ? error : rateLimited(now)
  }
}

function rateLimited(now: number): ApiError {
  const seconds = Math.max(1, Math.ceil((minuteEnd(now) - now) / 1_000))
  return new ApiError(
    'rateLimited',
    `More than ${INVALID_REQUESTS_PER_MINUTE} invalid requests came with this key in a minute. Correct the request; an invalid one gets its reason again in ${seconds} s.`,
    { details: { window: 'minute', limit: INVALID_REQUESTS_PER_MINUTE, left: 0 }, retryAfterSeconds: seconds },
  )
}
