import type { QueuedWebhook } from '../../domain/stores/stores.ts'
import type { Instant } from '../../domain/time.ts'
import type { Webhook } from '../../domain/webhooks/webhook.ts'

/** Endpoints with a lease of this process. */
const ENTERED_MAX = { all: 256, notFast: 224, slow: 192 }
const GUESTS_ENTERED_MAX = { fast: 48, notFast: 128 }
/** From so many on, an endpoint with more to get leaves after a delivery, so that one that waits can enter. */
const LEAVES_FROM = { all: 224, slow: 128 }
/** When endpoints of guests that can't be among those are looked at again: one after the other, so that they hide no others. */
const GUEST_EVERY_MS = 20
const GUESTS_LOOK_MS = { min: 5_000, max: 600_000 }
/** Deliveries that one endpoint gets at once. */
const AT_ONCE = 8
/** Endpoints that are sent to at a time. One that takes longer than `HELD_MS` gives its place to the next. */
const PLACES = 16
const HELD_MS = 100
/** The same for those that are slow or fail, each with one delivery. They keep their places. */
const SLOW_PLACES = 16
const SLOW_MS = 1_000
/**
 * Endpoints whose answer is awaited, with a place or without. The last twenty are for tenants that await none, and ten of these
 * for endpoints that are known to be fast: no number of new ones delays them.
 */
const OPEN_MAX = { others: 80, first: 90, firstOfFast: 100 }
/** How long endpoints that are known to be fast are before new ones. */
const NEW_FIRST_MS = 5_000
/** The weight of the newest delivery in the average duration of an endpoint. */
const NEWEST = 0.3
const REMEMBERED_MAX = 10_000

type Known = Pick<Webhook, 'id' | 'failures'>
type Sent = Known & Pick<QueuedWebhook, 'tenantId' | 'isGuest'>

/** An endpoint that the process works on. */
export interface Turn {
  readonly isGuest: boolean
  /** As the last delivery showed it. */
  kind: 'fast' | 'new' | 'slow'
}

/** A delivery that waits for its start, or has begun. */
interface Sending extends Turn {
  readonly since: number
  /** The tenant. Anyone can create guests, so all of them are one tenant here, except for their endpoints that are known to be fast. */
  readonly share: string
  start(): void
}

/**
 * Bounds the deliveries of a process, and shares them among tenants: a place that becomes free goes to the tenant with the
 * fewest deliveries under way, so one with many or slow endpoints uses what others leave and delays none of them.
 */
export class Places {
  readonly #durations = new Map<string, number>()
  readonly #entered = new Set<Turn>()
  readonly #waiting = new Set<Sending>()
  /** Those that began and have not ended, and among them those with a place. */
  readonly #open = new Set<Sending>()
  readonly #placed = new Set<Sending>()
  #lastGuestAt: Instant = 0

  /** The process works on the endpoint until it leaves. Otherwise when to look again: at the next look, or later. */
  enter(webhook: Sent & Pick<QueuedWebhook, 'nextLookAt'>, now: Instant): Turn | Instant {
    const { isGuest, nextLookAt } = webhook
    const kind = this.#kindOf(webhook)
    if (isGuest && this.#areGuestsFull(kind)) {
      const at = nextLookAt ?? 0
      return at > now && at <= this.#lastGuestAt ? at : this.#nextGuestAt(now)
    }
    if (this.#isFull(kind)) {
      return now
    }
    const turn = { isGuest, kind }
    this.#entered.add(turn)
    return turn
  }

  /** After a delivery to an endpoint that has more to get: when to look again if others need its turn; null: it stays. */
  mustLeave(turn: Turn, webhook: Known, now: Instant): Instant | null {
    turn.kind = this.#kindOf(webhook)
    if (turn.isGuest && this.#areGuestsFull(turn.kind)) {
      return this.#nextGuestAt(now)
    }
    const isOneOfManySlow = isSlow(turn) && count(this.#entered, isSlow) >= LEAVES_FROM.slow
    return isOneOfManySlow || this.#entered.size >= LEAVES_FROM.all ? now : null
  }

  leave(turn: Turn): void {
    this.#entered.delete(turn)
  }

  /** One at a time to an endpoint that is slow, fails or is not known yet, so that it occupies one connection. */
  atOnce(webhook: Known): number {
    return this.#kindOf(webhook) === 'fast' ? AT_ONCE : 1
  }

  async run<T>(webhook: Sent, send: () => Promise<T>): Promise<T> {
    const { isGuest, tenantId } = webhook
    const kind = this.#kindOf(webhook)
    const { promise: started, resolve: start } = Promise.withResolvers<void>()
    const share = isGuest && kind !== 'fast' ? GUESTS : tenantId
    const sending: Sending = { isGuest, kind, share, since: performance.now(), start }
    this.#waiting.add(sending)
    this.#startNext()
    await started
    const free = (): void => {
      if (this.#placed.delete(sending)) {
        this.#startNext()
      }
    }
    const timer = kind === 'slow' ? undefined : setTimeout(free, HELD_MS)
    const began = performance.now()
    try {
      return await send()
    } finally {
      this.#remember(webhook.id, performance.now() - began)
      clearTimeout(timer)
      this.#placed.delete(sending)
      this.#open.delete(sending)
      this.#startNext()
    }
  }

  #startNext(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      this.#waiting.delete(next)
      this.#open.add(next)
      this.#placed.add(next)
      next.start()
    }
  }

  /** Of the tenants with the fewest open deliveries, the one that waits longest; new endpoints wait a while for fast ones. */
  #next(): Sending | undefined {
    const now = performance.now()
    const slow = count(this.#placed, isSlow)
    const ofGuests = count(this.#open, ({ isGuest }) => isGuest)
    const open = Map.groupBy(this.#open, ({ share }) => share)
    const openOf = ({ share }: Sending): number => open.get(share)?.length ?? 0
    const mayStart = (sending: Sending): boolean => {
      if (isSlow(sending) ? slow >= SLOW_PLACES : this.#placed.size - slow >= PLACES) {
        return false
      }
      const { others, first, firstOfFast } = OPEN_MAX
      // An endpoint that was fast may stop answering.
      if (sending.isGuest && ofGuests >= others) {
        return false
      }
      return (
        this.#open.size <
        (openOf(sending) > 0 ? others : sending.kind === 'fast' ? firstOfFast : first)
      )
    }
    const rankOf = (sending: Sending): number =>
      openOf(sending) + (sending.kind === 'fast' || now - sending.since >= NEW_FIRST_MS ? 0 : 0.5)
    const earlier = (best: Sending | undefined, each: Sending) =>
      best === undefined || rankOf(each) < rankOf(best) ? each : best
    return this.#waiting.values().filter(mayStart).reduce(earlier, undefined)
  }

  #nextGuestAt(now: Instant): Instant {
    const next = Math.max(this.#lastGuestAt + GUEST_EVERY_MS, now + GUESTS_LOOK_MS.min)
    this.#lastGuestAt = Math.min(next, now + GUESTS_LOOK_MS.max)
    return this.#lastGuestAt
  }

  #isFull(kind: Turn['kind']): boolean {
    if (this.#entered.size >= ENTERED_MAX.all) {
      return true
    }
    if (
      kind !== 'fast' &&
      count(this.#entered, (turn) => turn.kind !== 'fast') >= ENTERED_MAX.notFast
    ) {
      return true
    }
    return kind === 'slow' && count(this.#entered, isSlow) >= ENTERED_MAX.slow
  }

  #areGuestsFull(kind: Turn['kind']): boolean {
    const isFast = kind === 'fast'
    const alike = count(this.#entered, (turn) => turn.isGuest && (turn.kind === 'fast') === isFast)
    return alike >= GUESTS_ENTERED_MAX[isFast ? 'fast' : 'notFast']
  }

  #kindOf({ id, failures }: Known): Turn['kind'] {
    const ms = this.#durations.get(id)
    if (failures > 0 || (ms ?? 0) >= SLOW_MS) {
      return 'slow'
    }
    return ms === undefined ? 'new' : 'fast'
  }

  #remember(id: string, ms: number): void {
    const known = this.#durations.get(id)
    // The last one used is the last one forgotten.
    this.#durations.delete(id)
    this.#durations.set(id, known === undefined ? ms : known + NEWEST * (ms - known))
    const [oldest] = this.#durations.keys()
    if (this.#durations.size > REMEMBERED_MAX && oldest !== undefined) {
      this.#durations.delete(oldest)
    }
  }
}

/** No id of a tenant. */
const GUESTS = 'guests'

const isSlow = ({ kind }: Turn): boolean => kind === 'slow'

const count = <Item>(items: Iterable<Item>, isCounted: (item: Item) => boolean): number =>
  Iterator.from(items).reduce((sum, item) => sum + (isCounted(item) ? 1 : 0), 0)
