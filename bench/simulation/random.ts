/** A seeded generator, so that a simulation that is run again says the same (splitmix32 by Sebastiano Vigna's design). */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 up to, and without, 1. */
  uniform(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0
    let mixed = this.#state ^ (this.#state >>> 16)
    mixed = Math.imul(mixed, 0x21f0aaad)
    mixed ^= mixed >>> 15
    mixed = Math.imul(mixed, 0x735a2d97)
    mixed ^= mixed >>> 15
    return (mixed >>> 0) / 0x1_0000_0000
  }

  /** Between two arrivals that do not know of each other. */
  exponential(mean: number): number {
    return -mean * Math.log(1 - this.uniform())
  }

  /** Around 0, with a standard deviation of 1 (Box and Muller). */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.uniform())) * Math.cos(2 * Math.PI * this.uniform())
  }

  /** A whole number below `end`. */
  below(end: number): number {
    return Math.floor(this.uniform() * end)
  }
}

/** How long something takes, in milliseconds. */
export type Duration = (random: Random) => number

/** 99 % of the way from the middle, in standard deviations. */
const Z99 = 2.3263

/** Durations of machines: never below zero, a long tail. Given by what one measures: the middle and the 99th percentile. */
export function lognormal(median: number, p99: number): Duration {
  const spread = Math.log(p99 / median) / Z99
  return (random) => median * Math.exp(spread * random.normal())
}

export const constant =
  (duration: number): Duration =>
  () =>
    duration

/** As it was measured. */
export const measured = (durations: readonly number[]): Duration => {
  if (durations.length === 0) throw new RangeError('nothing was measured')
  return (random) => durations[random.below(durations.length)] as number
}
