import { Unavailable } from '../domain/unavailable.ts'
import { Limiter } from './limiter.ts'

/** More waiting requests than this are told to come back: each holds a socket and some memory. */
const WAITERS_MAX = 5_000

/**
 * One signal may wake all of them, and each then asks the database. More at once than this would fill the queue for its
 * connections, where everybody else waits too.
 */
const LOOKS_AT_ONCE = 4

/** "Look again": everybody who waits, on whatever topic. */
const EVERYONE = '*'

/**
 * Long polls wait here, in memory, without holding a database connection. A signal says only that something may have
 * changed; whoever is woken looks for themselves, so a signal too many is harmless.
 */
export class Signals {
  readonly #waiters = new Map<string, Set<() => void>>()
  readonly #looks = new Limiter(LOOKS_AT_ONCE)
  #count = 0
  #closed = false

  wake(topic: string): void {
    if (topic === EVERYONE) {
      for (const waiters of this.#waiters.values()) for (const wake of [...waiters]) wake()
      return
    }
    for (const wake of [...(this.#waiters.get(topic) ?? [])]) wake()
  }

  /** Listen first, then look, then wait: what happens in between is not missed. */
  listen(topic: string): Listener {
    if (this.#count >= WAITERS_MAX) throw new Unavailable('Too many requests are waiting', { retryAfterSeconds: 5 })
    let woken = this.#closed
    let resume: (() => void) | undefined
    const wake = (): void => {
      woken = true
      resume?.()
    }
    const waiters = this.#waiters.get(topic) ?? new Set()
    this.#waiters.set(topic, waiters.add(wake))
    this.#count++
    return {
      wait: (ms, signal) =>
        new Promise((resolve) => {
          const done = (): void => {
            clearTimeout(timer)
            signal?.removeEventListener('abort', done)
            resume = undefined
            woken = this.#closed
            resolve()
          }
          const timer = setTimeout(done, woken ? 0 : ms)
          signal?.addEventListener('abort', done, { once: true })
          resume = done
        }),
      [Symbol.dispose]: () => {
        waiters.delete(wake)
        if (waiters.size === 0) this.#waiters.delete(topic)
        this.#count--
      },
    }
  }

  /** Whoever waits here looks by this. */
  poll<T>(work: () => Promise<T>): Promise<T> {
    return this.#looks.run(work)
  }

  /** At shutdown: everybody is answered at once, and nobody waits again. */
  close(): void {
    this.#closed = true
    this.wake(EVERYONE)
  }

  get closed(): boolean {
    return this.#closed
  }
}

export interface Listener extends Disposable {
  /** Resolves on a signal since the last wait, after `ms`, or when the caller has gone. */
  wait(ms: number, signal?: AbortSignal): Promise<void>
}
