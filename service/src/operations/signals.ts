import { Unavailable } from '../domain/api-error.ts'
import { Limiter } from './limits/limiter.ts'
import { WaitCounts, type WaitShare } from './limits/wait-shares.ts'

/** Long polls beyond this number get 503: each needs a socket and memory. */
const WAITERS_MAX = 5_000

/** One signal may wake every long poll, and each then queries the database; the limit keeps the pool free for others. */
const MAX_CONCURRENT_POLLS = 4

/** Wakes the waiters of every topic. */
const ALL_TOPICS = '*'

interface Listener extends Disposable {
  /** Resolves on a signal since the last wait, after `ms`, or when the request is aborted. */
  wait(ms: number, signal?: AbortSignal): Promise<void>
}

/**
 * Long polls wait here, in memory, without a database connection. A signal means that something may have changed; a woken
 * long poll queries the database again, so a superfluous signal is harmless.
 */
export class Signals {
  readonly #waiters = new Map<string, Set<() => void>>()
  readonly #counts = new WaitCounts()
  readonly #polls = new Limiter(MAX_CONCURRENT_POLLS)
  #count = 0
  #waiting = 0
  #closed = false

  wake(topic: string): void {
    if (topic !== ALL_TOPICS) {
      wakeAll(this.#waiters.get(topic))
      return
    }
    for (const waiters of this.#waiters.values()) {
      wakeAll(waiters)
    }
  }

  /** Listen first, then poll, then wait: a signal in between is not missed. */
  listen(topic: string, shares: readonly WaitShare[]): Listener {
    this.#counts.require(shares)
    if (this.#count >= WAITERS_MAX) {
      throw new Unavailable('Too many requests are waiting', { retryAfterSeconds: 5 })
    }
    let woken = this.#closed
    let resume: (() => void) | undefined
    const wake = (): void => {
      woken = true
      resume?.()
    }
    this.#add(topic, wake, shares)

    const wait = (ms: number, signal?: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        if (woken) {
          woken = this.#closed
          setImmediate(resolve)
          return
        }

        this.#waiting++
        const done = (): void => {
          this.#waiting--
          clearTimeout(timer)
          signal?.removeEventListener('abort', done)
          resume = undefined
          woken = this.#closed
          resolve()
        }
        const timer = setTimeout(done, ms)
        signal?.addEventListener('abort', done, { once: true })
        resume = done
      })
    return { wait, [Symbol.dispose]: () => this.#remove(topic, wake, shares) }
  }

  #add(topic: string, wake: () => void, shares: readonly WaitShare[]): void {
    const waiters = this.#waiters.get(topic) ?? new Set()
    this.#waiters.set(topic, waiters.add(wake))
    this.#count++
    this.#counts.add(shares, 1)
  }

  #remove(topic: string, wake: () => void, shares: readonly WaitShare[]): void {
    const waiters = this.#waiters.get(topic)
    waiters?.delete(wake)
    if (waiters?.size === 0) {
      this.#waiters.delete(topic)
    }
    this.#count--
    this.#counts.add(shares, -1)
  }

  /** Runs the database query of a long poll, with bounded concurrency. */
  poll<T>(query: () => Promise<T>): Promise<T> {
    return this.#polls.run(query)
  }

  /** At shutdown: ends all waits; later ones end immediately. */
  close(): void {
    this.#closed = true
    this.wake(ALL_TOPICS)
  }

  /** The number of long polls that wait for a signal, without those that query the database. */
  get waiting(): number {
    return this.#waiting
  }

  get closed(): boolean {
    return this.#closed
  }
}

/** A copy, because a listener that wakes may remove itself. */
function wakeAll(waiters: ReadonlySet<() => void> | undefined): void {
  for (const wake of [...(waiters ?? [])]) {
    wake()
  }
}
