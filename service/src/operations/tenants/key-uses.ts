import type { FoundKey, TenantStore } from '../../domain/stores/stores.ts'
import type { Duration, Instant } from '../../domain/time.ts'
import { WriteBehind } from '../write-behind.ts'

/** The last use of a key is only displayed, so it is not written on every call. */
export const KEY_USE_EVERY_MS: Duration = 3_600_000

/** Keys beyond this are recorded at their next use: losing one is better than unbounded memory. */
const BUFFERED_MAX = 5_000
const BATCH_KEYS = 500

/** Records when keys were last used: once an hour for each, after the responses. */
export class KeyUses {
  readonly #store: Pick<TenantStore, 'touchKeys'>
  readonly #warn: (message: string, error: unknown) => void
  #hashes = new Set<string>()
  #lastAt: Instant = 0
  readonly #writer = new WriteBehind(() => this.#write())

  constructor(store: Pick<TenantStore, 'touchKeys'>, warn: (message: string, error: unknown) => void) {
    this.#store = store
    this.#warn = warn
  }

  add({ hash, lastUsedAt }: Pick<FoundKey, 'hash' | 'lastUsedAt'>, now: Instant): void {
    if (lastUsedAt !== null && lastUsedAt > now - KEY_USE_EVERY_MS) return
    if (this.#hashes.size >= BUFFERED_MAX) return
    this.#hashes.add(hash)
    this.#lastAt = now
  }

  flush(): Promise<void> {
    return this.#writer.flush()
  }

  close(): Promise<void> {
    return this.#writer.close()
  }

  async #write(): Promise<void> {
    const [hashes, at] = [[...this.#hashes], this.#lastAt]
    this.#hashes = new Set()
    while (hashes.length > 0) {
      try {
        await this.#store.touchKeys(hashes.splice(0, BATCH_KEYS), at, at - KEY_USE_EVERY_MS)
      } catch (error) {
        this.#warn('the last use of keys could not be written', error)
        return
      }
    }
  }
}
