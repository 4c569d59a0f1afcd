import type { TestContext } from 'node:test'

export interface ManualTimeouts {
  /** How many timeouts were created so far. */
  count(): number
  /** Aborts all of them now. */
  expire(): void
}

/**
 * Replaces every `AbortSignal.timeout(lengthMs)` with one that aborts only when the test calls `expire`, so that the order
 * of events around a timeout does not depend on the machine's speed.
 */
export function manualTimeouts(t: TestContext, lengthMs: number): ManualTimeouts {
  const controllers: AbortController[] = []
  const { timeout } = AbortSignal
  t.mock.method(AbortSignal, 'timeout', (ms: number) => {
    if (ms !== lengthMs) {
      return timeout.call(AbortSignal, ms)
    }
    const controller = new AbortController()
    controllers.push(controller)
    return controller.signal
  })
  return {
    count: () => controllers.length,
    expire() {
      for (const controller of controllers) {
        controller.abort(new DOMException('The deadline passed', 'TimeoutError'))
      }
    },
  }
}
