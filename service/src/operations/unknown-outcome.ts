import { OutcomeUnknown } from '../domain/api-error.ts'

/**
 * For work that must not simply be repeated. If its outcome is unknown, the response says how to find out: 503
 * `outcomeUnknown`, not `retryable` (decision 13).
 */
export async function withAdvice<T>(advice: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof OutcomeUnknown) {
      throw new OutcomeUnknown({ cause: error.cause, advice })
    }
    throw error
  }
}
