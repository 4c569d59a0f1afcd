import type { TestContext } from 'node:test'

export interface HeldDeadlines {
  /** How many were set so far. */
  count(): number
  /** Lets all of them pass now. */
  pass(): void
}

/**
 * Deadlines of this length (`AbortSignal.timeout`) pass when the test says so, and never by themselves: what happened
 * before and after one is then the same on every machine.
 */
export function heldDeadlines(t: TestContext, lengthMs: number): HeldDeadlines {
  const held: AbortController[] = []
  const { timeout } = AbortSignal
  t.mock.method(AbortSignal, 'timeout', (ms: number) => {
    if (ms !== lengthMs) return timeout.call(AbortSignal, ms)
    const controller = new AbortController()
    held.push(controller)
    return controller.signal
  })
  return {
    count: () => held.length,
    pass() {
      for (const controller of held) controller.abort(new DOMException('The deadline passed', 'TimeoutError'))
    },
  }
}
