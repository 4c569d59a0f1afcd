import {
  REFUSAL_KINDS_MAX,
  REFUSALS_KEPT_MS,
  type Refusal,
  type RefusalCount,
} from '../domain/login/refusal.ts'
import type { FoundKey, RefusalStore, TenantStore } from '../domain/stores/stores.ts'
import type { Duration, Instant } from '../domain/time.ts'

const FLUSH_EVERY_MS = 1_000

/** Calls `write` every second and at the end, one call after another: for records that are written after the responses. */
export abstract class WriteBehind {
  readonly #timer = setInterval(() => void this.flush(), FLUSH_EVERY_MS).unref()
  #flushing: Promise<void> = Promise.resolve()

  /** Must not reject. */
  protected abstract write(): Promise<void>

  /** Resolves when every record added before is written or dropped. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.write())
    return this.#flushing
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }
}

/** The last use of a key is only displayed, so it is not written on every call. */
export const KEY_USE_EVERY_MS: Duration = 3_600_000

/** Keys beyond this are recorded at their next use: losing one is better than unbounded memory. */
const MAX_KEY_USES = 5_000
const BATCH_KEYS = 500

/** Records when keys were last used: once an hour for each, after the responses. */
export class KeyUses extends WriteBehind {
  readonly #store: Pick<TenantStore, 'touchKeys'>
  readonly #warn: (message: string, error: unknown) => void
  #hashes = new Set<string>()
  #lastAt: Instant = 0

  constructor(
    store: Pick<TenantStore, 'touchKeys'>,
    warn: (message: string, error: unknown) => void,
  ) {
    super()
    this.#store = store
    this.#warn = warn
  }

  add({ hash, lastUsedAt }: Pick<FoundKey, 'hash' | 'lastUsedAt'>, now: Instant): void {
    const isRecent = lastUsedAt !== null && lastUsedAt > now - KEY_USE_EVERY_MS
    if (isRecent || this.#hashes.size >= MAX_KEY_USES) {
      return
    }
    this.#hashes.add(hash)
    this.#lastAt = now
  }

  protected async write(): Promise<void> {
    const hashes = [...this.#hashes]
    const at = this.#lastAt
    this.#hashes = new Set()
    try {
      for (let from = 0; from < hashes.length; from += BATCH_KEYS) {
        const batch = hashes.slice(from, from + BATCH_KEYS)
        await this.#store.touchKeys(batch, at, at - KEY_USE_EVERY_MS)
      }
    } catch (error) {
      this.#warn('the last use of keys could not be written', error)
    }
  }
}

/** Kinds beyond this are not counted until the next write: losing some is better than unbounded memory. */
const MAX_REFUSALS = 2_000

/**
 * Counts refused sign-ins in memory and writes the counts after the responses: a refusal waits for no disk, and a
 * thousand of one kind are one row.
 */
export class RefusalLog extends WriteBehind {
  readonly #store: RefusalStore
  readonly #warn: (message: string, error: unknown) => void
  readonly #now: () => Instant
  #counts = new Map<string, RefusalCount>()

  constructor(
    store: RefusalStore,
    warn: (message: string, error: unknown) => void,
    now: () => Instant,
  ) {
    super()
    this.#store = store
    this.#warn = warn
    this.#now = now
  }

  add(refusal: Refusal): void {
    const key = `${refusal.tenantId} ${refusal.step} ${refusal.code} ${refusal.differs}`
    const known = this.#counts.get(key)
    if (known === undefined && this.#counts.size >= MAX_REFUSALS) {
      return
    }

    const now = this.#now()
    this.#counts.set(key, {
      ...refusal,
      count: (known?.count ?? 0) + 1,
      firstAt: known?.firstAt ?? now,
      lastAt: now,
    })
  }

  protected async write(): Promise<void> {
    const refusals = [...this.#counts.values()]
    if (refusals.length === 0) {
      return
    }
    this.#counts = new Map()
    try {
      await this.#store.add(refusals, this.#now() - REFUSALS_KEPT_MS, REFUSAL_KINDS_MAX)
    } catch (error) {
      this.#warn('refused sign-ins could not be counted', error)
    }
  }
}
