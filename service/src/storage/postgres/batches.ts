import { setTimeout as sleep } from 'node:timers/promises'
import type { QueryResult } from 'pg'
import { Unavailable } from '../../domain/api-error.ts'
import { Conflict } from '../database-errors.ts'
import { TIMING } from '../timing.ts'

/** Larger batches gain little, and their first item waits for the last. */
const BATCH_MAX = 32
/** While one statement runs, the next batch collects items. */
const RUNNING_MAX = 2
/** A batch of this size starts while another runs: the fixed cost of a statement is shared by enough items. */
const FULL_ENOUGH = 8
/** A smaller batch waits this long for the running one, which may be blocked by an unrelated row lock. */
const COLLECT_MS = 5
/** With a slow database, a longer queue would only add latency. */
const QUEUE_MAX = 1_024
const TRIES = 3

interface Queued<Item, Result> {
  readonly item: Item
  readonly result: PromiseWithResolvers<Result>
}

/**
 * Sends items that arrive in one turn of the event loop, and items that wait for a running statement, as one statement.
 * Sent on arrival, the first two of every burst would each be a statement that costs as much as that of all the others.
 *
 * Two items with the same key never share a statement, because it decides all of its items before it writes any.
 */
export class Batches<Item, Result> {
  readonly #keyOf: (item: Item) => number
  readonly #send: (items: readonly Item[]) => Promise<readonly Result[]>
  readonly #retryMs: number
  #queue: Queued<Item, Result>[] = []
  #running = 0
  #endOfTurn: NodeJS.Immediate | undefined
  #collecting: NodeJS.Timeout | undefined

  /** `retryMs`: the longest delay before a batch that a conflict rolled back is sent again, times the number of its tries. */
  constructor(
    keyOf: (item: Item) => number,
    send: (items: readonly Item[]) => Promise<readonly Result[]>,
    retryMs: number = TIMING.conflictRetryMs,
  ) {
    this.#keyOf = keyOf
    this.#send = send
    this.#retryMs = retryMs
  }

  add(item: Item): Promise<Result> {
    if (this.#queue.length >= QUEUE_MAX) {
      throw new Unavailable('too many requests are waiting for the database')
    }
    const result = Promise.withResolvers<Result>()
    this.#queue.push({ item, result })
    this.#endOfTurn ??= setImmediate(() => {
      this.#endOfTurn = undefined
      this.#start(FULL_ENOUGH)
    })
    return result.promise
  }

  /** Starts batches of at least `minSize` items; if no statement runs, of any size. */
  #start(minSize: number): void {
    while (this.#canStart(minSize)) {
      const batch = this.#nextBatch()
      this.#running += 1
      void this.#run(batch).finally(() => {
        this.#running -= 1
        this.#start(FULL_ENOUGH)
      })
    }
    if (this.#queue.length > 0) {
      this.#collecting ??= setTimeout(() => {
        this.#collecting = undefined
        this.#start(1)
      }, COLLECT_MS).unref()
    }
  }

  #canStart(minSize: number): boolean {
    if (this.#running === 0) {
      return this.#queue.length > 0
    }
    return this.#running < RUNNING_MAX && this.#queue.length >= minSize
  }

  #nextBatch(): readonly Queued<Item, Result>[] {
    const keys = new Set<number>()
    const batch: Queued<Item, Result>[] = []
    const rest: Queued<Item, Result>[] = []
    for (const queued of this.#queue) {
      const key = this.#keyOf(queued.item)
      if (batch.length === BATCH_MAX || keys.has(key)) {
        rest.push(queued)
        continue
      }
      keys.add(key)
      batch.push(queued)
    }
    this.#queue = rest
    return batch
  }

  /** Never rejects: settles the promise of each item. */
  async #run(batch: readonly Queued<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#sendWithRetry(batch.map(({ item }) => item))
      for (const [at, { result }] of batch.entries()) {
        result.resolve(results[at] as Result)
      }
    } catch (error) {
      if (batch.length === 1 || error instanceof Unavailable) {
        for (const { result } of batch) {
          result.reject(error)
        }
        return
      }
      // An error that one item causes must not fail the others.
      for (const each of batch) {
        await this.#run([each])
      }
    }
  }

  /** Retries after a conflict, in which the database rolled back one of two transactions. */
  async #sendWithRetry(items: readonly Item[]): Promise<readonly Result[]> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#send(items)
      } catch (error) {
        if (!(error instanceof Conflict) || tries === TRIES) {
          throw error
        }
        await sleep(Math.random() * this.#retryMs * tries)
      }
    }
  }
}

export type DetachedResult<R extends object = object> = Pick<
  QueryResult<R>,
  'command' | 'rowCount' | 'rows'
>

/**
 * Moves the rows of a result into a new object. Rows that pg's own objects still refer to survive V8's young collections:
 * a long list, read in pages, stayed in memory for the most part and took twice the time (docs/hot-path.md).
 */
export function detachRows<R extends object>(result: QueryResult<R>): DetachedResult<R> {
  const { command, rowCount, rows } = result
  result.rows = []
  return { command, rowCount, rows }
}
