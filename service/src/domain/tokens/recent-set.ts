/** As many buckets as fit a quarter of a megabyte. */
const BUCKETS = 8_192
/** Neighbours, so that looking through a bucket is one trip to memory. */
const PLACES = 8

/**
 * Has this come before, lately? Answered from a fixed table that forgets: each bucket keeps the last eight that fell into
 * it. With one place in each, two that share it and take turns would never be known.
 */
export class RecentSet {
  readonly #seen = new Uint32Array(BUCKETS * PLACES)

  /** Whether it had come; from now on it has. */
  note(bits: number): boolean {
    const first = (bits % BUCKETS) * PLACES
    for (let place = first; place < first + PLACES; place++) if (this.#seen[place] === bits) return true
    this.#seen.copyWithin(first + 1, first, first + PLACES - 1)
    this.#seen[first] = bits
    return false
  }
}
