/**
 * The one row that every event of a tenant counts in (decision 20). A transaction holds it from the statement that
 * counts to its commit, so the events of one tenant come one after the other; everybody else only shares connections.
 */
import { EventQueue } from './event-queue.ts'
import { Fifo } from './fifo.ts'
import type { Duration, Random } from './random.ts'

export interface HotRowSettings {
  /** Arrivals a second: events of the hot tenant, and of all others together. */
  readonly hotPerSecond: number
  readonly othersPerSecond: number
  readonly connections: number
  /** Before the row is asked for, and from there to the commit, both without waiting for anybody. */
  readonly before: Duration
  readonly holding: Duration
  /** So many of the hot tenant's waiting events may share one transaction. */
  readonly batch: number
  readonly seconds: number
}

export interface HotRowOutcome {
  readonly hotPerSecond: number
  readonly othersPerSecond: number
  /** From arrival to commit, in milliseconds. */
  readonly hot: readonly number[]
  readonly others: readonly number[]
  readonly waitingAtMost: number
}

/** When one arrived. */
type Arrival = number

export function simulateHotRow(settings: HotRowSettings, random: Random): HotRowOutcome {
  const queue = new EventQueue()
  const { connections, batch, before, holding, seconds } = settings
  const waiting = { hot: new Fifo<Arrival>(), others: new Fifo<Arrival>() }
  /** Transactions that have a connection and want the row. */
  const wanting = new Fifo<() => void>()
  const done: Record<Kind, number[]> = { hot: [], others: [] }
  let free = connections
  let held = false
  let waitingAtMost = 0

  const arrive = (perSecond: number, kind: Kind): void => {
    if (perSecond === 0) return
    queue.after(random.exponential(1_000 / perSecond), () => {
      arrive(perSecond, kind)
      waiting[kind].push(queue.now)
      start()
      waitingAtMost = Math.max(waitingAtMost, waiting.hot.length + waiting.others.length)
    })
  }

  /** Whoever came first gets the next connection; of the hot tenant, those who wait already come along. */
  const start = (): void => {
    while (free > 0) {
      const [hot = Number.POSITIVE_INFINITY, others = Number.POSITIVE_INFINITY] = [
        waiting.hot.first,
        waiting.others.first,
      ]
      if (hot === others) return
      const kind: Kind = hot < others ? 'hot' : 'others'
      const together: Arrival[] = []
      for (let most = kind === 'hot' ? batch : 1; most > 0 && waiting[kind].length > 0; most--) {
        together.push(waiting[kind].shift() as Arrival)
      }
      free -= 1
      queue.after(before(random), () => (kind === 'hot' ? take(together) : hold(kind, together)))
    }
  }

  const take = (together: Arrival[]): void => {
    if (held) {
      wanting.push(() => take(together))
      return
    }
    held = true
    hold('hot', together)
  }

  const hold = (kind: Kind, together: Arrival[]): void =>
    queue.after(holding(random), () => {
      for (const arrived of together) done[kind].push(queue.now - arrived)
      free += 1
      if (kind === 'hot') {
        held = false
        wanting.shift()?.()
      }
      start()
    })

  arrive(settings.hotPerSecond, 'hot')
  arrive(settings.othersPerSecond, 'others')
  queue.run(seconds * 1_000)
  return {
    hotPerSecond: done.hot.length / seconds,
    othersPerSecond: done.others.length / seconds,
    hot: done.hot,
    others: done.others,
    waitingAtMost,
  }
}

type Kind = 'hot' | 'others'
