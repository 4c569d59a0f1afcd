import { setTimeout as sleep } from 'node:timers/promises'

/** Long enough that only a hang exceeds it, even on a busy machine. */
export const HANG_TIMEOUT_MS = 60_000

const POLL_INTERVAL_MS = 20
/** Also while a test has stopped the time (clock.ts). */
const now = performance.now.bind(performance)
const POLLS_IN_TWO_SECONDS = 100

/** Polls `condition` until it is true. `what` describes the condition in the timeout error. */
export async function waitUntil(
  what: string,
  condition: () => boolean | Promise<boolean>,
): Promise<void> {
  for (
    const deadline = now() + HANG_TIMEOUT_MS;
    !(await condition());
    await sleep(POLL_INTERVAL_MS)
  ) {
    if (now() > deadline) {
      throw new Error(`timed out after ${HANG_TIMEOUT_MS} ms: ${what}`)
    }
  }
}

/**
 * Checks a promise of "within two seconds" as at most 100 polls 20 ms apart. Counting polls instead of time keeps the
 * check independent of the machine: on a busy one the polls slow down as much as the code under test.
 */
export async function withinTwoSeconds(
  what: string,
  condition: () => Promise<boolean>,
): Promise<void> {
  for (let polls = 0; polls <= POLLS_IN_TWO_SECONDS; polls++) {
    if (await condition()) {
      return
    }
    await sleep(POLL_INTERVAL_MS)
  }
  throw new Error(`timed out after ${POLLS_IN_TWO_SECONDS} polls: ${what}`)
}
