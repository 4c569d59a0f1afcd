import type { SessionId } from '../ids.ts'

/**
 * The first valid generation of revoked sessions: a million in about 34 MB. Open addressing over typed arrays, because a
 * Map needs three times the memory and every verify reads it.
 */
const EMPTY = 0
const FIRST_CAPACITY = 1 << 10
const LOAD_FACTOR = 0.5

export class SessionTable {
  #capacity = FIRST_CAPACITY
  #size = 0
  // Four columns: low and high half of the session id, the first valid generation, and the expiry in seconds.
  #low = new Uint32Array(FIRST_CAPACITY)
  #high = new Uint32Array(FIRST_CAPACITY)
  #generation = new Uint32Array(FIRST_CAPACITY)
  #until = new Uint32Array(FIRST_CAPACITY)

  get size(): number {
    return this.#size
  }

  /** Revokes the generations below `generation`, until the last of their tokens has expired. */
  revokeBelow(sessionId: SessionId, generation: number, untilMs: number): void {
    if ((this.#size + 1) / this.#capacity > LOAD_FACTOR) {
      this.#rebuild(this.#capacity * 2, 0)
    }
    this.#put(low(sessionId), high(sessionId), generation, Math.ceil(untilMs / 1_000))
  }

  isRevoked(sessionId: SessionId, generation: number): boolean {
    const at = this.#find(low(sessionId), high(sessionId))
    return this.#until[at] !== EMPTY && generation < (this.#generation[at] as number)
  }

  /** The sessions with an unexpired entry. */
  *entries(nowMs: number): Generator<{ sessionId: SessionId; generation: number; until: number }> {
    const now = Math.floor(nowMs / 1_000)
    // A copy of the columns: the table may grow between two steps, which frees them.
    const [lows, highs, generations, untils] = [
      this.#low.slice(),
      this.#high.slice(),
      this.#generation.slice(),
      this.#until.slice(),
    ]
    for (let at = 0; at < untils.length; at++) {
      const until = untils[at] as number
      if (until <= now) {
        continue
      }
      const sessionId = (highs[at] as number) * 0x1_0000_0000 + (lows[at] as number)
      yield { sessionId, generation: generations[at] as number, until: until * 1_000 }
    }
  }

  /** Deletes expired entries. */
  prune(nowMs: number): void {
    const now = Math.floor(nowMs / 1_000)
    let live = 0
    for (let at = 0; at < this.#capacity; at++) {
      if ((this.#until[at] as number) > now) {
        live++
      }
    }
    if (live === this.#size) {
      return
    }
    let capacity = FIRST_CAPACITY
    while (live / capacity > LOAD_FACTOR / 2) {
      capacity *= 2
    }
    this.#rebuild(capacity, now)
  }

  #put(lo: number, hi: number, generation: number, until: number): void {
    const at = this.#find(lo, hi)
    if (this.#until[at] === EMPTY) {
      this.#low[at] = lo
      this.#high[at] = hi
      this.#size++
    }
    // Monotonic: an old revocation that arrives late changes nothing.
    this.#generation[at] = Math.max(this.#generation[at] as number, generation)
    this.#until[at] = Math.max(this.#until[at] as number, until)
  }

  /** The slot of this key, or the empty slot for it. Terminates, because the table is never full. */
  #find(lo: number, hi: number): number {
    const mask = this.#capacity - 1
    let at = (Math.imul(lo ^ Math.imul(hi, 0x9e3779b1), 0x85ebca6b) >>> 7) & mask
    while (this.#until[at] !== EMPTY && (this.#low[at] !== lo || this.#high[at] !== hi)) {
      at = (at + 1) & mask
    }
    return at
  }

  #rebuild(capacity: number, now: number): void {
    const [lows, highs, generations, untils] = [
      this.#low,
      this.#high,
      this.#generation,
      this.#until,
    ]
    this.#capacity = capacity
    this.#size = 0
    this.#low = new Uint32Array(capacity)
    this.#high = new Uint32Array(capacity)
    this.#generation = new Uint32Array(capacity)
    this.#until = new Uint32Array(capacity)
    for (let at = 0; at < untils.length; at++) {
      const until = untils[at] as number
      if (until > now) {
        this.#put(lows[at] as number, highs[at] as number, generations[at] as number, until)
      }
    }
    for (const replaced of [lows, highs, generations, untils]) {
      free(replaced)
    }
  }
}

/** Frees the memory now: array buffers are outside the heap, so the garbage collector may not run for a long time. */
function free({ buffer }: Uint32Array<ArrayBuffer>): void {
  buffer.transfer(0)
}

const low = (sessionId: SessionId): number => sessionId >>> 0
/** Session ids stay below 2^48 (refresh-token.ts). */
const high = (sessionId: SessionId): number => Math.floor(sessionId / 0x1_0000_0000)
