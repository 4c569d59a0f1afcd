/**
 * The revocation feed on PostgreSQL, as storage/feed-postgres.ts, feed-wake-ups.ts and feed-reading.ts run it: many
 * instances that commit notices, wake one another at most every 20 ms, and look when woken and every second anyway.
 */
import { EventQueue } from './event-queue.ts'
import type { Duration, Random } from './random.ts'

export interface FeedSettings {
  readonly instances: number
  /** Write transactions a second, over all instances, and how many of them leave a notice. */
  readonly writesPerSecond: number
  readonly noticeShare: number
  /** A write transaction, from the id it draws to its commit. */
  readonly transaction: Duration
  /** One question on the listening connection: there, done and back. */
  readonly roundTrip: Duration
  readonly perRowMs: number
  readonly wakeApartMs: number
  readonly pollMs: number
  /** An instance looks no sooner after its last look. 0: as soon as it is woken. */
  readonly lookApartMs: number
  readonly seconds: number
  /** The last instance is cut off from the database for so long, from the middle on. */
  readonly partitionMs: number
}

export interface FeedOutcome {
  /** Of every notice at every other instance: from its commit to their memory, in milliseconds. */
  readonly staleness: readonly number[]
  /** The same at the instance that was cut off. */
  readonly stalenessCutOff: readonly number[]
  readonly looksPerSecond: number
  readonly rowsPerSecond: number
  readonly wakeUpsPerSecond: number
  readonly noticesPerSecond: number
  readonly rowsAtMost: number
}

interface Transaction {
  readonly id: number
  readonly by: number
  readonly notice: boolean
  committedAt: number
}

export function simulateFeed(settings: FeedSettings, random: Random): FeedOutcome {
  return new FeedSimulation(settings, random).run()
}

class FeedSimulation {
  readonly #settings: FeedSettings
  readonly #random: Random
  readonly #queue = new EventQueue()
  readonly #instances: Instance[]
  /** Running write transactions by id, in the order of their ids. */
  readonly #running = new Map<number, Transaction>()
  /** Committed ones with a notice, by id. */
  readonly #notices: Transaction[] = []
  #nextId = 1
  #committedNotices = 0
  readonly staleness: number[] = []
  readonly stalenessCutOff: number[] = []
  looks = 0
  rows = 0
  rowsAtMost = 0
  wakeUps = 0

  constructor(settings: FeedSettings, random: Random) {
    this.#settings = settings
    this.#random = random
    this.#instances = Array.from({ length: settings.instances }, (_, index) => new Instance(index))
  }

  run(): FeedOutcome {
    const { seconds, pollMs } = this.#settings
    for (const instance of this.#instances) this.#poll(instance, this.#random.uniform() * pollMs)
    this.#nextWrite()
    this.#queue.run(seconds * 1_000)
    return {
      staleness: this.staleness,
      stalenessCutOff: this.stalenessCutOff,
      looksPerSecond: this.looks / seconds,
      rowsPerSecond: this.rows / seconds,
      wakeUpsPerSecond: this.wakeUps / seconds,
      noticesPerSecond: this.#committedNotices / seconds,
      rowsAtMost: this.rowsAtMost,
    }
  }

  #nextWrite(): void {
    const { writesPerSecond, instances, noticeShare, transaction } = this.#settings
    this.#queue.after(this.#random.exponential(1_000 / writesPerSecond), () => {
      this.#nextWrite()
      const by = this.#random.below(instances)
      // Whoever cannot reach the database can revoke nothing either.
      if (this.#isCutOff(this.#instances[by] as Instance)) return
      const write = { id: this.#nextId++, by, notice: this.#random.uniform() < noticeShare, committedAt: 0 }
      this.#running.set(write.id, write)
      this.#queue.after(transaction(this.#random), () => this.#commit(write))
    })
  }

  #commit(write: Transaction): void {
    this.#running.delete(write.id)
    if (!write.notice) return
    write.committedAt = this.#queue.now
    this.#committedNotices += 1
    this.#notices.push(write)
    this.#wake(this.#instances[write.by] as Instance)
  }

  /** WakeUps.add: at once, or when 20 ms have passed since the last. */
  #wake(instance: Instance): void {
    if (instance.wakeUpPlanned) return
    instance.wakeUpPlanned = true
    const { wakeApartMs } = this.#settings
    this.#queue.after(Math.max(0, instance.wokeAt + wakeApartMs - this.#queue.now), () => {
      instance.wakeUpPlanned = false
      instance.wokeAt = this.#queue.now
      if (this.#isCutOff(instance)) return
      this.#onListener(instance, 0, () => {
        this.wakeUps += 1
        for (const other of this.#instances) if (other !== instance && !this.#isCutOff(other)) this.#look(other)
      })
    })
  }

  #poll(instance: Instance, delay: number): void {
    this.#queue.after(delay, () => {
      this.#poll(instance, this.#settings.pollMs)
      if (!this.#isCutOff(instance)) this.#look(instance)
    })
  }

  /** One look at a time; being woken during one means one more. */
  #look(instance: Instance): void {
    if (instance.looking) {
      instance.lookAgain = true
      return
    }
    instance.looking = true
    const wait = Math.max(0, instance.lookedAt + this.#settings.lookApartMs - this.#queue.now)
    this.#queue.after(wait, () => this.#read(instance))
  }

  #read(instance: Instance): void {
    instance.lookAgain = false
    instance.lookedAt = this.#queue.now
    const seen: Transaction[] = []
    const snapshot = (): number => {
      for (let at = this.#notices.length - 1; at >= 0; at--) {
        const notice = this.#notices[at] as Transaction
        // Committed in another order than begun, so a little further back than the first that is too old.
        if (notice.id < instance.xmin - LOOK_BACK) break
        if (notice.id >= instance.xmin) seen.push(notice)
      }
      const [oldest] = this.#running.keys()
      instance.xmin = oldest ?? this.#nextId
      this.looks += 1
      this.rows += seen.length
      this.rowsAtMost = Math.max(this.rowsAtMost, seen.length)
      return seen.length
    }
    this.#onListener(instance, snapshot, () => {
      for (const notice of seen) this.#learn(instance, notice)
      instance.looking = false
      if (instance.lookAgain) this.#look(instance)
    })
  }

  #learn(instance: Instance, notice: Transaction): void {
    if (notice.by === instance.index || instance.known.has(notice.id)) return
    instance.known.add(notice.id)
    const stale = this.#queue.now - notice.committedAt
    const cutOff = this.#settings.partitionMs > 0 && instance.index === this.#settings.instances - 1
    if (cutOff) this.stalenessCutOff.push(stale)
    else this.staleness.push(stale)
  }

  /** One question at a time. The database takes its snapshot half way; rows make the way back longer. */
  #onListener(instance: Instance, rows: 0 | (() => number), done: () => void): void {
    const now = this.#queue.now
    const half = this.#settings.roundTrip(this.#random) / 2
    const begins = Math.max(now, instance.listenerFreeAt)
    // Free again when it is answered; until the answer is known, nobody can be told when.
    instance.listenerFreeAt = begins + 2 * half
    this.#queue.after(begins - now + half, () => {
      const back = half + (rows === 0 ? 0 : rows() * this.#settings.perRowMs)
      instance.listenerFreeAt = Math.max(instance.listenerFreeAt, this.#queue.now + back)
      this.#queue.after(back, done)
    })
  }

  #isCutOff(instance: Instance): boolean {
    const { partitionMs, instances, seconds } = this.#settings
    const from = (seconds * 1_000) / 2
    return instance.index === instances - 1 && this.#queue.now >= from && this.#queue.now < from + partitionMs
  }
}

/** More ids than are ever in flight at once. */
const LOOK_BACK = 5_000

class Instance {
  readonly index: number
  readonly known = new Set<number>()
  xmin = 0
  looking = false
  lookAgain = false
  lookedAt = Number.NEGATIVE_INFINITY
  wokeAt = Number.NEGATIVE_INFINITY
  wakeUpPlanned = false
  listenerFreeAt = 0

  constructor(index: number) {
    this.index = index
  }
}
