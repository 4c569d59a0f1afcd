import { setTimeout as sleep } from 'node:timers/promises'
import { Unavailable } from '../../domain/unavailable.ts'
import { Conflict } from '../database-errors.ts'

/** More in one statement gain little, and the first waits for the last. */
const BATCH_MAX = 32
/** While one is on its way, the next gathers. */
const UNDER_WAY_MAX = 2
/** As many as this need not wait for the one before: what a statement costs by itself is shared by enough. */
const ENOUGH = 8
/** Fewer wait for the one before, but not for long: it may be held up by a row that has nothing to do with them. */
const GATHER_MS = 5
/** Behind a slow database a longer queue only makes everyone later. */
const WAITING_MAX = 1_024
const ATTEMPTS = 3
const RETRY_WITHIN_MS = 40

interface Waiting<Item, ApiResponse> {
  readonly item: Item
  readonly response: PromiseWithResolvers<ApiResponse>
}

/**
 * Those who come in one turn of the event loop, and those who wait, go together in one statement. Sent one by one as
 * they come, the first two of every burst would go alone, and cost as much as all the others.
 *
 * Two items with the same key never share a statement, because it would decide both before it has done either.
 */
export class Batches<Item, ApiResponse> {
  readonly #keyOf: (item: Item) => number
  readonly #send: (items: readonly Item[]) => Promise<readonly ApiResponse[]>
  #waiting: Waiting<Item, ApiResponse>[] = []
  #underWay = 0
  #turn: NodeJS.Immediate | undefined
  #gathering: NodeJS.Timeout | undefined

  constructor(keyOf: (item: Item) => number, send: (items: readonly Item[]) => Promise<readonly ApiResponse[]>) {
    this.#keyOf = keyOf
    this.#send = send
  }

  add(item: Item): Promise<ApiResponse> {
    if (this.#waiting.length >= WAITING_MAX) throw new Unavailable('too many are waiting for the database')
    const response = Promise.withResolvers<ApiResponse>()
    this.#waiting.push({ item, response })
    this.#turn ??= setImmediate(() => {
      this.#turn = undefined
      this.#go(ENOUGH)
    })
    return response.promise
  }

  #go(enough: number): void {
    while (this.#underWay < UNDER_WAY_MAX && this.#waiting.length >= (this.#underWay === 0 ? 1 : enough)) {
      const batch = this.#next()
      this.#underWay++
      void this.#run(batch).finally(() => {
        this.#underWay--
        this.#go(ENOUGH)
      })
    }
    if (this.#waiting.length > 0) this.#gathering ??= setTimeout(() => this.#gathered(), GATHER_MS).unref()
  }

  #gathered(): void {
    this.#gathering = undefined
    this.#go(1)
  }

  #next(): readonly Waiting<Item, ApiResponse>[] {
    const keys = new Set<number>()
    const batch: Waiting<Item, ApiResponse>[] = []
    const later: Waiting<Item, ApiResponse>[] = []
    for (const waiting of this.#waiting) {
      const key = this.#keyOf(waiting.item)
      const goes = batch.length < BATCH_MAX && !keys.has(key)
      if (goes) keys.add(key)
      ;(goes ? batch : later).push(waiting)
    }
    this.#waiting = later
    return batch
  }

  /** Never throws: each who waits hears it. */
  async #run(batch: readonly Waiting<Item, ApiResponse>[]): Promise<void> {
    try {
      const responses = await this.#sent(batch.map(({ item }) => item))
      for (const [at, { response }] of batch.entries()) response.resolve(responses[at] as ApiResponse)
    } catch (error) {
      // What is wrong with one of them is not to be the fault of the others. Out of reach is out of reach for all.
      if (batch.length === 1 || error instanceof Unavailable) for (const { response } of batch) response.reject(error)
      else for (const each of batch) await this.#run([each])
    }
  }

  /** Two that collide are both right; the one that was undone runs again. */
  async #sent(items: readonly Item[]): Promise<readonly ApiResponse[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#send(items)
      } catch (error) {
        if (!(error instanceof Conflict) || attempt === ATTEMPTS) throw error
        await sleep(Math.random() * RETRY_WITHIN_MS * attempt)
      }
    }
  }
}
