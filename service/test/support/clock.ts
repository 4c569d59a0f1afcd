import type { TestContext } from 'node:test'

interface Span {
  readonly days?: number
  readonly hours?: number
  readonly minutes?: number
  readonly seconds?: number
  readonly ms?: number
}

/** A manual clock: it advances only when the test calls `advance`. */
export class Clock {
  #now: number

  constructor(start = Date.UTC(2026, 0, 15, 12, 0, 0)) {
    this.#now = start
  }

  readonly now = (): number => this.#now

  advance({ days = 0, hours = 0, minutes = 0, seconds = 0, ms = 0 }: Span): void {
    this.#now += (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000 + ms
  }
}

/**
 * Stops `performance.now` and `setTimeout` for the rest of the test. The returned function lets some time pass, which fires
 * the new timers that are due. Earlier timers run on, and can't be cleared. No other test may run meanwhile in this process.
 */
export function stopTime(t: TestContext): (ms: number) => void {
  // A whole number: with fractions, rounding makes a wait a billionth of a millisecond longer now and then.
  let now = Math.ceil(performance.now())
  t.mock.method(performance, 'now', () => now)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  return (ms) => {
    now += ms
    t.mock.timers.tick(ms)
  }
}
