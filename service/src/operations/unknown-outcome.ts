import { OutcomeUnknown } from '../domain/api-error.ts'

/**
 * For work that must not simply be repeated. If its outcome is unknown, the response says how to find out: 503
 * `outcomeUnknown`, not `retryable` (decision 13).
 */
export const withAdvice = <T>(advice: string, work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw error instanceof OutcomeUnknown
      ? new OutcomeUnknown({ cause: error.cause, advice })
      : error
  })
