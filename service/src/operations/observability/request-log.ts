import type { RequestRecord, RequestRecordStore } from '../../domain/stores/stores.ts'
import type { Log } from '../context.ts'
import { WriteBehind } from '../write-behind.ts'

/** Records beyond this are dropped: losing some is better than unbounded memory. */
const BUFFERED_MAX = 5_000
const BATCH_RECORDS = 500

/** Records of the requests of owned tenants, written in batches after the responses. */
export class RequestLog {
  readonly #store: RequestRecordStore
  readonly #log: Log
  readonly #buffer: RequestRecord[] = []
  readonly #writer = new WriteBehind(() => this.#write())

  constructor(store: RequestRecordStore, log: Log) {
    this.#store = store
    this.#log = log
  }

  add(record: RequestRecord): void {
    if (this.#buffer.length < BUFFERED_MAX) this.#buffer.push(record)
  }

  flush(): Promise<void> {
    return this.#writer.flush()
  }

  close(): Promise<void> {
    return this.#writer.close()
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
