import { REFUSAL_KINDS_MAX, REFUSALS_KEPT_MS, type Refusal, type RefusalCount } from '../../domain/refusals/refusal.ts'
import type { RefusalStore } from '../../domain/stores/stores.ts'
import type { Instant } from '../../domain/time.ts'
import { WriteBehind } from '../write-behind.ts'

/** Kinds beyond this are not counted until the next write: losing some is better than unbounded memory. */
const BUFFERED_MAX = 2_000

/**
 * Counts refused sign-ins in memory and writes the counts after the responses: a refusal waits for no disk, and a
 * thousand of one kind are one row.
 */
export class RefusalLog {
  readonly #store: RefusalStore
  readonly #warn: (message: string, error: unknown) => void
  readonly #now: () => Instant
  #counts = new Map<string, RefusalCount>()
  readonly #writer = new WriteBehind(() => this.#write())

  constructor(store: RefusalStore, warn: (message: string, error: unknown) => void, now: () => Instant) {
    this.#store = store
    this.#warn = warn
    this.#now = now
  }

  add(refusal: Refusal): void {
    const key = `${refusal.tenantId} ${refusal.step} ${refusal.code} ${refusal.differs}`
    const known = this.#counts.get(key)
    if (known === undefined && this.#counts.size >= BUFFERED_MAX) return
    const now = this.#now()
    this.#counts.set(key, { ...refusal, count: (known?.count ?? 0) + 1, firstAt: known?.firstAt ?? now, lastAt: now })
  }

  flush(): Promise<void> {
    return this.#writer.flush()
  }

  close(): Promise<void> {
    return this.#writer.close()
  }

  async #write(): Promise<void> {
    const refusals = [...this.#counts.values()]
    if (refusals.length === 0) return
    this.#counts = new Map()
    try {
      await this.#store.add(refusals, this.#now() - REFUSALS_KEPT_MS, REFUSAL_KINDS_MAX)
    } catch (error) {
      this.#warn('refused sign-ins could not be counted', error)
    }
  }
}
