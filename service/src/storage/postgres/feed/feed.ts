import { setTimeout as sleep } from 'node:timers/promises'
import type { Revocation } from '../../../domain/revocation/revocation.ts'
import { ALL_TENANTS, type Feed, type FeedOptions } from '../../feed.ts'
import type { StorageTiming } from '../../timing.ts'
import type { Lineage } from '../connection/lineage.ts'
import type { BoundedPool } from '../pool.ts'
import { elapsedSince, type Moment, thisMoment } from './clock-skew.ts'
import { type Listener, type ListenerEvents, retryWithBackoff } from './listener.ts'
import { loadRevocations, Poller, type Reading, readRevocations } from './reading.ts'
import { tenantsIn, WakeUps } from './wake-ups.ts'

interface PostgresFeedOptions extends FeedOptions {
  readonly pool: BoundedPool
  readonly lineage: Lineage
  readonly timing: StorageTiming
  listen(events: ListenerEvents): Promise<Listener>
}

/**
 * Publishes every revocation that any process commits, at least once, within about a second, and after a lost connection
 * too. The `revocations` table is the only source: NOTIFY just triggers a poll early, and a poll every second replaces a
 * lost notification. Which rows a poll reads is decided by snapshots, not by ids (feed/reading.ts).
 */
class PostgresFeed implements Feed {
  readonly #options: PostgresFeedOptions
  readonly #wakeUps: WakeUps
  readonly #poller: Poller
  readonly #closed = new AbortController()
  #listener: Listener | null = null
  /** What the last poll saw; null: load all unexpired revocations. */
  #snapshot: string | null = null
  #connectionsLost = 0
  #timer: NodeJS.Timeout | undefined
  #lastPollAt: Moment | null = null
  #skewMs = 0
  #failing = false
  #reconnecting: Promise<void> | undefined

  constructor(options: PostgresFeedOptions) {
    const { minPollMs, notifyMs } = options.timing
    this.#options = options
    this.#poller = new Poller(() => this.#pollOnce(), minPollMs, this.#closed.signal)
    this.#wakeUps = new WakeUps(async (payload) => {
      if (this.#listener === null) {
        throw new Error('not listening')
      }
      await this.#listener.notify(payload)
    }, notifyMs)
    options.lineage.onChange(() => this.#databaseReplaced())
  }

  /** Listens before it loads: a row that is committed in between is then loaded, notified, or both. */
  async follow(): Promise<void> {
    const listener = await this.#listen()
    const asked = thisMoment()
    try {
      const now = this.#options.now()
      const loaded = await loadRevocations(listener, now, (page) => this.#publish(page))
      this.#received(loaded, asked)
    } catch (error) {
      await listener.close()
      throw error
    }
    this.#listener = listener
    await this.#poller.poll()
    listener.unref()
    this.#timer = setInterval(() => this.#tick(), this.#options.timing.pollMs).unref()
    this.#wakeUps.resume()
  }

  catchUp(): Promise<void> {
    return this.#poller.poll()
  }

  wake(changedTenants: readonly string[]): void {
    this.#wakeUps.add(changedTenants)
  }

  staleForMs(): number {
    if (this.#lastPollAt === null) {
      return 0
    }
    const age = elapsedSince(this.#lastPollAt)
    return age <= this.#options.timing.healthyMs ? 0 : Math.round(age)
  }

  clockSkewMs(): number {
    return this.#skewMs
  }

  async close(): Promise<void> {
    this.#closed.abort()
    clearInterval(this.#timer)
    await this.#poller.idle()
    await this.#reconnecting
    await this.#wakeUps.flush()
    await this.#listener?.close()
  }

  #tick(): void {
    const { listenerDeadMs } = this.#options.timing
    if (this.#listener !== null && this.#listener.silentForMs > listenerDeadMs) {
      this.#listener.destroy()
    }
    void this.#poller.poll()
  }

  async #pollOnce(): Promise<void> {
    const connectionsLost = this.#connectionsLost
    const asked = thisMoment()
    try {
      const reading = await this.#read()
      this.#publish(reading.revocations)
      this.#received(reading, asked)
      this.#failing = false
      // The reading may come from a server that was replaced meanwhile, whose transaction ids mean nothing to the new one.
      if (connectionsLost !== this.#connectionsLost) {
        this.#reload()
      }
    } catch (error) {
      if (!this.#failing) {
        this.#options.warn('cannot read revocations from PostgreSQL; retrying', error)
      }
      this.#failing = true
    }
  }

  async #read(): Promise<Reading> {
    const earlier = this.#snapshot
    const now = this.#options.now()
    if (earlier !== null) {
      const reading = await this.#readByListener(earlier, now)
      if (reading !== null) {
        return reading
      }
    }

    const client = await this.#options.pool.connect()
    try {
      if (earlier !== null) {
        return await readRevocations(client, earlier, now)
      }
      const loaded = await loadRevocations(client, now, (page) => this.#publish(page))
      return { ...loaded, revocations: [] }
    } finally {
      client.release()
    }
  }

  /** null: the listener can't be used, failed, or did not respond in time. */
  async #readByListener(earlier: string, now: number): Promise<Reading | null> {
    const { lineage, timing } = this.#options
    const listener = this.#listener
    if (listener === null || listener.silentForMs > 0 || lineage.isFormer(listener.client)) {
      return null
    }
    const reading = readRevocations(listener, earlier, now).catch(() => null)
    const timeout = sleep(timing.listenerMs, null, { ref: false })
    return Promise.race([reading, timeout])
  }

  /** `asked`: when the poll began, because a machine may sleep before it reads the response. */
  #received({ snapshot, skewMs }: Pick<Reading, 'snapshot' | 'skewMs'>, asked: Moment): void {
    const wentBack =
      this.#snapshot !== null && oldestRunning(snapshot) < oldestRunning(this.#snapshot)
    this.#snapshot = snapshot
    if (wentBack) {
      this.#reload()
    }
    this.#lastPollAt = asked
    if (skewMs === null) {
      return
    }
    this.#skewMs = skewMs
    this.#options.clockMeasured(skewMs)
  }

  /**
   * Transaction ids only grow, except on a server that crashed or was replaced by its replica: it assigns again the ids
   * that it has not stored. A poll from the old snapshot would then miss rows, so the next one loads all of them.
   */
  #reload(): void {
    this.#snapshot = null
    this.#poller.pollAgain()
  }

  #databaseReplaced(): void {
    // A poll that is running may still read from the former primary.
    this.#connectionsLost += 1
    if (this.#listener !== null && this.#options.lineage.isFormer(this.#listener.client)) {
      this.#listener.destroy()
    }
    this.#reload()
    if (this.#timer !== undefined) {
      void this.#poller.poll()
    }
  }

  #publish(revocations: readonly Revocation[]): void {
    if (revocations.length > 0) {
      this.#options.publish({ revocations, changedTenants: [], deliverable: [] })
    }
  }

  #listen(): Promise<Listener> {
    return this.#options.listen({
      received: (payload) => {
        const changedTenants = tenantsIn(payload)
        if (changedTenants.length > 0) {
          this.#options.publish({ revocations: [], changedTenants, deliverable: [] })
        }
        void this.#poller.poll()
      },
      lost: (error) => {
        this.#listener = null
        this.#connectionsLost += 1
        this.#reload()
        if (this.#closed.signal.aborted) {
          return
        }
        this.#options.warn('the connection that listens to PostgreSQL broke; reconnecting', error)
        this.#reconnecting ??= this.#reconnect().finally(() => {
          this.#reconnecting = undefined
        })
      },
    })
  }

  async #reconnect(): Promise<void> {
    const listener = await retryWithBackoff(
      () => this.#listen(),
      this.#options.timing,
      this.#closed.signal,
    )
    if (listener === null) {
      return
    }
    listener.unref()
    this.#listener = listener
    // Notifications were lost meanwhile: the poll loads all revocations, and every long poll reads again.
    this.#options.publish({ revocations: [], changedTenants: [ALL_TENANTS], deliverable: [] })
    this.#wakeUps.resume()
    void this.#poller.poll()
  }
}

export const postgresFeed = (options: PostgresFeedOptions): Feed => new PostgresFeed(options)

const oldestRunning = (snapshot: string): bigint => BigInt(snapshot.slice(0, snapshot.indexOf(':')))
