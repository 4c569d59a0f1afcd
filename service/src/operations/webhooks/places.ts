import type { AccountId } from '../../domain/ids.ts'
import type { QueuedWebhook } from '../../domain/stores/stores.ts'
import type { Duration } from '../../domain/time.ts'
import type { Webhook } from '../../domain/webhooks/webhook.ts'

/** Endpoints that a process sends to at a time. Slow ones have places of their own, so that they delay no fast one. */
const PLACES = { fast: 64, slow: 32 }
/** How many of these places one owner can have. Whatever its endpoints do, the rest is for the others. */
const PLACES_PER_OWNER = { fast: 16, slow: 8 }
/** Deliveries that an endpoint gets at once. */
const AT_ONCE = { fast: 8, slow: 1 }
const SLOW_MS = 1_000
const SLOW_REMEMBERED = 10_000

/** Endpoints of one owner that wait in memory. More of them wait in the database. */
export const WAITING_PER_OWNER = 100

/** Anyone can create guests, so all of them are one owner. */
const GUESTS = 'guests'

/** An endpoint that waits for a place, or has one until it leaves. */
export interface Turn {
  readonly webhook: QueuedWebhook
  readonly owner: AccountId | typeof GUESTS
  readonly lane: 'fast' | 'slow'
}

/** Shares the deliveries of a process among the owners of endpoints. */
export class Places {
  /** By the id of the endpoint, the longest waiting first. */
  readonly #waiting = new Map<string, Turn>()
  readonly #taken = new Set<Turn>()
  /** Endpoints whose last delivery was slow, the latest last. */
  readonly #slow = new Set<string>()

  /** False if too many endpoints of the owner wait already. */
  wait(webhook: QueuedWebhook): boolean {
    if (this.#waiting.has(webhook.id)) {
      return true
    }

    const owner = webhook.owner ?? GUESTS
    if (this.#countWaiting(owner) >= WAITING_PER_OWNER) {
      return false
    }

    this.#waiting.set(webhook.id, { webhook, owner, lane: this.#laneOf(webhook) })
    return true
  }

  #countWaiting(owner: Turn['owner']): number {
    let count = 0
    for (const turn of this.#waiting.values()) {
      if (turn.owner === owner) {
        count += 1
      }
    }
    return count
  }

  /** Gives a place to the next endpoint, if there is one that may have it. */
  take(): Turn | undefined {
    const turn = this.#next()
    if (turn !== undefined) {
      this.#waiting.delete(turn.webhook.id)
      this.#taken.add(turn)
    }
    return turn
  }

  leave(turn: Turn): void {
    this.#taken.delete(turn)
  }

  /** Whether an endpoint that has more to get gives its place to another one, or needs one of the other lane. */
  mustLeave(turn: Turn, webhook: Webhook): boolean {
    if (this.#laneOf(webhook) !== turn.lane) {
      return true
    }

    this.#taken.delete(turn)
    const next = this.#next()
    this.#taken.add(turn)
    return next !== undefined
  }

  atOnce({ lane }: Turn): number {
    return AT_ONCE[lane]
  }

  /** An endpoint is slow or fast as its last delivery was. */
  remember({ id }: Webhook, took: Duration): void {
    this.#slow.delete(id)
    if (took < SLOW_MS) {
      return
    }

    this.#slow.add(id)
    if (this.#slow.size > SLOW_REMEMBERED) {
      const [oldest = id] = this.#slow
      this.#slow.delete(oldest)
    }
  }

  /** The endpoint that starts next: the owner with the fewest places comes first, then the one that has waited longest. */
  #next(): Turn | undefined {
    const takenInLane = Map.groupBy(this.#taken, ({ lane }) => lane)
    const takenByOwner = Map.groupBy(this.#taken, laneAndOwner)

    let next: Turn | undefined
    let fewest = Infinity
    for (const turn of this.#waiting.values()) {
      const inLane = takenInLane.get(turn.lane)?.length ?? 0
      if (inLane >= PLACES[turn.lane]) {
        continue
      }

      const ofOwner = takenByOwner.get(laneAndOwner(turn))?.length ?? 0
      if (ofOwner < PLACES_PER_OWNER[turn.lane] && ofOwner < fewest) {
        next = turn
        fewest = ofOwner
      }
    }
    return next
  }

  #laneOf({ id, failures }: Webhook): Turn['lane'] {
    return failures > 0 || this.#slow.has(id) ? 'slow' : 'fast'
  }
}

function laneAndOwner({ lane, owner }: Turn): string {
  return `${lane} ${owner}`
}
