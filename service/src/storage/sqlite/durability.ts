import { Unavailable } from '../../domain/api-error.ts'

/** Makes commits durable. */
export interface Durability {
  /** Call after each commit of this process. Resolves when the commit is durable. `soon`: no response waits for it. */
  committed(sync?: 'now' | 'soon'): Promise<void>
  /** Resolves when every commit that a read may have seen is durable; undefined if that is known already. */
  seen(): Promise<void> | undefined
}

/** For databases that no response depends on. */
export const NOT_AWAITED: Durability = { committed: () => Promise.resolve(), seen: () => undefined }

/** How long a commit that no response waits for may stay without a sync, so that it shares the sync of another one. */
const SOON_MS = 20

interface SyncedLogOptions {
  /** Syncs the write-ahead log to the disk, outside this thread. */
  sync(done: (error: Error | null) => void): void
  /** Differs from the last call if another connection has committed. */
  dataVersion(): number
  readonly lostWrite: (error: unknown) => void
}

interface Sync extends PromiseWithResolvers<void> {
  /** The last commit that it makes durable. */
  upTo: number
}

/**
 * Waits for the disk instead of SQLite, which would block the thread (decision 64). A sync makes all commits durable that
 * were written before it began, also those of other processes. One runs at a time; later commits share the next one.
 *
 * Commits are numbered as this process makes or notices them. What was committed before the start is number 1: a process
 * that was killed may not have synced it.
 */
export class SyncedLog implements Durability {
  readonly #options: SyncedLogOptions
  #seen = 1
  #durable = 0
  #version: number | null = null
  #running: Sync | undefined
  #next: Sync | undefined
  #soon: NodeJS.Timeout | undefined

  constructor(options: SyncedLogOptions) {
    this.#options = options
  }

  committed(sync: 'now' | 'soon' = 'now'): Promise<void> {
    this.#seen += 1
    if (sync === 'now') {
      return this.#reach()
    }
    this.#soon ??= setTimeout(() => this.#startNext(), SOON_MS)
    return this.#waitForNext()
  }

  seen(): Promise<void> | undefined {
    this.#noticeOthers()
    return this.#durable === this.#seen ? undefined : this.#reach()
  }

  /** Resolves when no commit waits for a sync. */
  async idle(): Promise<void> {
    this.#startNext()
    while (this.#running !== undefined) {
      await this.#running.promise.catch(() => {})
    }
  }

  #reach(): Promise<void> {
    if (this.#running?.upTo === this.#seen) {
      return this.#running.promise
    }
    const durable = this.#waitForNext()
    this.#startNext()
    return durable
  }

  #waitForNext(): Promise<void> {
    this.#next ??= { ...Promise.withResolvers<void>(), upTo: 0 }
    return this.#next.promise
  }

  /** Starts the next sync, unless one is running: one runs at a time. */
  #startNext(): void {
    if (this.#running === undefined && this.#next !== undefined) {
      this.#start(this.#next)
    }
  }

  #start(sync: Sync): void {
    clearTimeout(this.#soon)
    this.#soon = undefined
    this.#next = undefined
    this.#running = sync
    this.#noticeOthers()
    sync.upTo = this.#seen
    this.#options.sync((error) => {
      this.#running = undefined
      if (error === null) {
        this.#durable = sync.upTo
        sync.resolve()
      } else {
        this.#options.lostWrite(error)
        sync.reject(new Unavailable('the disk has not stored the last commits', { cause: error }))
      }
      this.#startNext()
    })
  }

  #noticeOthers(): void {
    const version = this.#currentVersion()
    if (version !== null && version === this.#version) {
      return
    }
    this.#version = version
    this.#seen += 1
  }

  /** null: not known, because the file is closed or an I/O error occurred. */
  #currentVersion(): number | null {
    try {
      return this.#options.dataVersion()
    } catch {
      return null
    }
  }
}
