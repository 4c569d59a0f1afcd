import type { RequestRecord, RequestRecordStore } from '../../domain/stores/stores.ts'
import type { Log } from '../context.ts'

/** Records beyond this are dropped: losing some is better than unbounded memory. */
const BUFFERED_MAX = 5_000
const BATCH_RECORDS = 500
const FLUSH_EVERY_MS = 1_000

/** Records of the requests of owned tenants, written in batches after the responses. */
export class RequestLog {
  readonly #store: RequestRecordStore
  readonly #log: Log
  readonly #buffer: RequestRecord[] = []
  readonly #timer: NodeJS.Timeout
  #flushing: Promise<void> = Promise.resolve()

  constructor(store: RequestRecordStore, log: Log) {
    this.#store = store
    this.#log = log
    this.#timer = setInterval(() => void this.flush(), FLUSH_EVERY_MS).unref()
  }

  add(record: RequestRecord): void {
    if (this.#buffer.length < BUFFERED_MAX) this.#buffer.push(record)
  }

  /** Resolves when every record added before is written or dropped. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#write())
    return this.#flushing
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }

  async #write(): Promise<void> {
    while (this.#buffer.length > 0) {
      try {
        await this.#store.append(this.#buffer.splice(0, BATCH_RECORDS))
      } catch (error) {
        this.#log.warn('request records could not be written', error)
        return
      }
    }
  }
}
