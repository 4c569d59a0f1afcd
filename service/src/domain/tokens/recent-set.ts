/** With eight slots of four bytes: 256 KiB. */
const BUCKETS = 8_192
/** Adjacent, so that a bucket fits one cache line. */
const SLOTS = 8

/**
 * A fixed-size set of 32-bit values that forgets: each bucket keeps its last eight values. With one slot per bucket, two
 * alternating values in the same bucket would evict each other every time.
 */
export class RecentSet {
  readonly #slots = new Uint32Array(BUCKETS * SLOTS)

  /** Adds a value and returns whether it was present. */
  add(value: number): boolean {
    const first = (value % BUCKETS) * SLOTS
    for (let slot = first; slot < first + SLOTS; slot++) if (this.#slots[slot] === value) return true
    this.#slots.copyWithin(first + 1, first, first + SLOTS - 1)
    this.#slots[first] = value
    return false
  }
}
