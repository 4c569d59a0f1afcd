/** What happens next: a binary heap by time. Of things at one moment, what was planned first happens first. */
export class EventQueue {
  readonly #heap: { readonly at: number; readonly order: number; readonly happen: () => void }[] = []
  #planned = 0
  #now = 0

  get now(): number {
    return this.#now
  }

  get size(): number {
    return this.#heap.length
  }

  /** After so long from now. The past cannot be planned. */
  after(delay: number, happen: () => void): void {
    if (!(delay >= 0)) throw new RangeError(`an event cannot be ${delay} away`)
    this.#heap.push({ at: this.#now + delay, order: this.#planned++, happen })
    this.#rise(this.#heap.length - 1)
  }

  /** Until nothing is planned before `end`. */
  run(end: number): void {
    for (let first = this.#heap[0]; first !== undefined && first.at <= end; first = this.#heap[0]) {
      const last = this.#heap.pop()
      if (last !== undefined && this.#heap.length > 0) {
        this.#heap[0] = last
        this.#sink(0)
      }
      this.#now = first.at
      first.happen()
    }
    this.#now = Math.max(this.#now, end)
  }

  #before(a: number, b: number): boolean {
    const [one, other] = [this.#heap[a], this.#heap[b]]
    if (one === undefined || other === undefined) return false
    return one.at < other.at || (one.at === other.at && one.order < other.order)
  }

  #swap(a: number, b: number): void {
    const [one, other] = [this.#heap[a], this.#heap[b]]
    if (one === undefined || other === undefined) return
    this.#heap[a] = other
    this.#heap[b] = one
  }

  #rise(index: number): void {
    for (let at = index; at > 0; ) {
      const parent = (at - 1) >> 1
      if (!this.#before(at, parent)) return
      this.#swap(at, parent)
      at = parent
    }
  }

  #sink(index: number): void {
    for (let at = index; ; ) {
      let next = at
      for (const child of [2 * at + 1, 2 * at + 2]) if (this.#before(child, next)) next = child
      if (next === at) return
      this.#swap(at, next)
      at = next
    }
  }
}
