import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Revocation } from '../../domain/revocation/revocation.ts'
import { ALL_TENANTS, type Feed, type FeedOptions } from '../feed.ts'
import { type Moment, thisMoment } from './clock-skew.ts'
import { Listener } from './feed-listener.ts'
import { loadRevocations, type Reading, readRevocations } from './feed-reading.ts'
import { tenantsIn, WakeUps } from './feed-wake-ups.ts'
import type { BoundedPool } from './pool.ts'

const LOOK_EVERY_MS = 1_000
/**
 * Between two looks. With many instances somebody commits all the time, and each would look all the time: this far
 * apart they read a fraction of the rows, some milliseconds later (docs/scaling.md).
 */
const LOOKS_APART_MS = 50
/** Then the pool is asked instead, so that a dead listener does not make us late. */
const LISTENER_ANSWERS_WITHIN_MS = 500
const LISTENER_DEAD_AFTER_MS = 5_000
const RECONNECT_MIN_MS = 100
const RECONNECT_MAX_MS = 5_000
/** Looking every second, we are well while the last look is not older than this. */
const HEALTHY_MS = 2_500

export interface PostgresFeedOptions extends FeedOptions {
  readonly pool: BoundedPool
  /** A connection that is not connected yet. */
  listener(): Client
}

/**
 * The table is the truth and NOTIFY only a wake-up: we look when woken, and every second anyway. What a look returns
 * is decided by snapshots, not ids; see feed-reading.ts.
 */
class PostgresFeed implements Feed {
  readonly #options: PostgresFeedOptions
  readonly #wakeUps: WakeUps
  #listener: Listener | null = null
  /** Where the next look reads on; null: from the start. */
  #xmin: bigint | null = null
  #losses = 0
  #looking: Promise<void> | undefined
  #lookAgain = false
  #lookedAt = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  #heardAt: Moment | null = null
  #skewMs = 0
  #failing = false
  #reconnecting: Promise<void> | undefined
  readonly #closed = new AbortController()

  constructor(options: PostgresFeedOptions) {
    this.#options = options
    this.#wakeUps = new WakeUps(async (payload) => {
      if (this.#listener === null) throw new Error('not listening')
      await this.#listener.notify(payload)
    })
  }

  // First listen, then load: what commits in between is then heard of or loaded, if not both.
  async follow(): Promise<void> {
    const listener = await this.#listen()
    try {
      this.#heard(await loadRevocations(listener, this.#options.now(), (revocations) => this.#publish(revocations)))
    } catch (error) {
      await listener.close()
      throw error
    }
    this.#listener = listener
    await this.#look()
    listener.unref()
    this.#timer = setInterval(() => this.#tick(), LOOK_EVERY_MS).unref()
    this.#wakeUps.resume()
  }

  catchUp(): Promise<void> {
    return this.#look()
  }

  wake(changedTenants: readonly string[]): void {
    this.#wakeUps.add(changedTenants)
  }

  /** The wall clock too: while a machine is suspended, only that one goes on. */
  staleForMs(): number {
    if (this.#heardAt === null) return 0
    const now = thisMoment()
    const age = Math.max(now.monotonic - this.#heardAt.monotonic, now.wall - this.#heardAt.wall)
    return age <= HEALTHY_MS ? 0 : Math.round(age)
  }

  clockSkewMs(): number {
    return this.#skewMs
  }

  async close(): Promise<void> {
    this.#closed.abort()
    clearInterval(this.#timer)
    await this.#looking
    await this.#reconnecting
    await this.#wakeUps.flush()
    await this.#listener?.close()
  }

  #tick(): void {
    if (this.#listener !== null && this.#listener.silentForMs > LISTENER_DEAD_AFTER_MS) this.#listener.cut()
    void this.#look()
  }

  /** One look at a time; being woken during one means one more. Never throws. */
  #look(): Promise<void> {
    this.#lookAgain = true
    this.#looking ??= this.#lookWhileWoken().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  async #lookWhileWoken(): Promise<void> {
    while (this.#lookAgain && !this.#closed.signal.aborted) {
      const early = LOOKS_APART_MS - (performance.now() - this.#lookedAt)
      if (early > 0) await sleep(early, undefined, { ref: false, signal: this.#closed.signal }).catch(() => {})
      this.#lookAgain = false
      this.#lookedAt = performance.now()
      const losses = this.#losses
      try {
        const reading = await this.#read()
        this.#publish(reading.revocations)
        this.#heard(reading)
        this.#failing = false
        // It may have been seen by the server that was lost, and say nothing about the one that came after.
        if (losses !== this.#losses) this.#startAgain()
      } catch (error) {
        if (!this.#failing) this.#options.warn('cannot follow PostgreSQL; trying on', error)
        this.#failing = true
      }
    }
  }

  async #read(): Promise<Reading> {
    const listener = this.#listener
    const xmin = this.#xmin
    const now = this.#options.now()
    if (listener !== null && listener.silentForMs === 0 && xmin !== null) {
      const late = sleep(LISTENER_ANSWERS_WITHIN_MS, null, { ref: false })
      const reading = await Promise.race([readRevocations(listener, xmin, now).catch(() => null), late])
      if (reading !== null) return reading
    }
    const client = await this.#options.pool.connect()
    try {
      if (xmin !== null) return await readRevocations(client, xmin, now)
      return { ...(await loadRevocations(client, now, (revocations) => this.#publish(revocations))), revocations: [] }
    } finally {
      client.release()
    }
  }

  #heard({ xmin, skewMs }: Pick<Reading, 'xmin' | 'skewMs'>): void {
    const replaced = this.#xmin !== null && xmin < this.#xmin
    this.#xmin = xmin
    if (replaced) this.#startAgain()
    this.#heardAt = thisMoment()
    if (skewMs === null) return
    this.#skewMs = skewMs
    this.#options.clockMeasured(skewMs)
  }

  /**
   * Transaction ids only grow, but for a server that crashed or was replaced by its copy: it gives out again those that
   * it has no memory of. Notices below where we were would then be passed over, so all of them are read.
   */
  #startAgain(): void {
    this.#xmin = null
    this.#lookAgain = true
  }

  #publish(revocations: readonly Revocation[]): void {
    if (revocations.length > 0) this.#options.publish({ revocations, changedTenants: [] })
  }

  #listen(): Promise<Listener> {
    return Listener.open(this.#options.listener(), {
      heard: (payload) => {
        const changedTenants = tenantsIn(payload)
        if (changedTenants.length > 0) this.#options.publish({ revocations: [], changedTenants })
        void this.#look()
      },
      lost: (error) => {
        this.#listener = null
        this.#losses += 1
        this.#startAgain()
        if (this.#closed.signal.aborted) return
        this.#options.warn('the connection that listens to PostgreSQL broke; reconnecting', error)
        this.#reconnecting ??= this.#reconnect().finally(() => {
          this.#reconnecting = undefined
        })
      },
    })
  }

  // Jitter, so that after a restart of PostgreSQL its clients do not come back in one moment.
  async #reconnect(): Promise<void> {
    for (let wait = RECONNECT_MIN_MS; ; wait = Math.min(wait * 2, RECONNECT_MAX_MS)) {
      await sleep(wait * (0.5 + Math.random() / 2), undefined, { ref: false, signal: this.#closed.signal }).catch(
        () => {},
      )
      if (this.#closed.signal.aborted) return
      const listener = await this.#listen().catch(() => null)
      if (listener === null) continue
      listener.unref()
      this.#listener = listener
      // Whatever was said while nobody listened: revocations are read from the start, waiters look for themselves.
      this.#options.publish({ revocations: [], changedTenants: [ALL_TENANTS] })
      this.#wakeUps.resume()
      void this.#look()
      return
    }
  }
}

export const postgresFeed = (options: PostgresFeedOptions): Feed => new PostgresFeed(options)
