import type { RequestRecord, RequestRecordStore } from '../../domain/stores/stores.ts'
import type { Log } from '../context.ts'

/** What is not written by then is dropped: the tail is a convenience, and memory is not. */
const BUFFERED_MAX = 5_000
const AT_A_TIME = 500
const FLUSH_EVERY_MS = 1_000

/** Requests of owned tenants, written behind the answers and not before them. */
export class RequestLog {
  readonly #store: RequestRecordStore
  readonly #log: Log
  readonly #waiting: RequestRecord[] = []
  readonly #timer: NodeJS.Timeout
  #flushing: Promise<void> = Promise.resolve()

  constructor(store: RequestRecordStore, log: Log) {
    this.#store = store
    this.#log = log
    this.#timer = setInterval(() => void this.flush(), FLUSH_EVERY_MS).unref()
  }

  add(record: RequestRecord): void {
    if (this.#waiting.length < BUFFERED_MAX) this.#waiting.push(record)
  }

  /** Everything that was added before this is written when it resolves, or given up. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#write())
    return this.#flushing
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      try {
        await this.#store.append(this.#waiting.splice(0, AT_A_TIME))
      } catch (error) {
        this.#log.warn('request records could not be written', error)
        return
      }
    }
  }
}
