import { RateLimitedError, UnavailableError } from './errors.ts'

export interface Patience {
  /** How often in all. */
  readonly attempts: number
  /** Nothing new is sent this long after the first was. */
  readonly withinMs: number
  /** The service says "come back in n seconds": waited for when it is no longer than this. */
  readonly waitAtMostMs: number
  /** Whether an answer that did not come in time is asked for again. */
  readonly afterTimeout: boolean
}

export interface Timing {
  now(): number
  sleep(ms: number): Promise<void>
}

export const realTiming: Timing = {
  now: Date.now,
  sleep: (ms) => new Promise((done) => setTimeout(done, ms)),
}

const FIRST_WAIT_MS = 200

/** Does it again while that may help and there is time. In the end the last error is the answer. */
export async function patiently<T>(patience: Patience, timing: Timing, act: () => Promise<T>): Promise<T> {
  const started = timing.now()
  for (let attempt = 1; ; attempt++) {
    try {
      return await act()
    } catch (error) {
      const wait = waitAfter(error, attempt, patience)
      const over = attempt >= patience.attempts || timing.now() + (wait ?? 0) - started > patience.withinMs
      if (wait === null || over) throw error
      await timing.sleep(wait)
    }
  }
}

/** null: do not try again. */
function waitAfter(error: unknown, attempt: number, { waitAtMostMs, afterTimeout }: Patience): number | null {
  if (!(error instanceof UnavailableError || error instanceof RateLimitedError)) return null
  if (error instanceof UnavailableError && error.reason === 'timeout' && !afterTimeout) return null
  const asked = error.retryAfterSeconds === null ? null : error.retryAfterSeconds * 1_000
  if (asked !== null && asked > waitAtMostMs) return null
  if (asked === null && error instanceof RateLimitedError) return null
  // Uneven, so that many who lost their answers at the same moment do not come back at the same moment.
  const backoff = FIRST_WAIT_MS * 3 ** (attempt - 1) * (0.75 + Math.random() / 2)
  return Math.max(asked ?? 0, backoff)
}
