interface Span {
  readonly days?: number
  readonly hours?: number
  readonly minutes?: number
  readonly seconds?: number
  readonly ms?: number
}

/** A manual clock: it advances only when the test calls `advance`. */
export class Clock {
  #now: number

  constructor(start = Date.UTC(2026, 0, 15, 12, 0, 0)) {
    this.#now = start
  }

  readonly now = (): number => this.#now

  advance({ days = 0, hours = 0, minutes = 0, seconds = 0, ms = 0 }: Span): void {
    this.#now += (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000 + ms
  }
}
