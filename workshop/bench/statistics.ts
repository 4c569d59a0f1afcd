/** Median and range of some measurements. */
export interface Spread {
  readonly median: number
  readonly low: number
  readonly high: number
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b)
  return {
    median: quantile(sorted, 0.5),
    low: sorted[0] ?? Number.NaN,
    high: sorted.at(-1) ?? Number.NaN,
  }
}

export const medianOf = (values: readonly number[]): number => spreadOf(values).median

/** Expects ascending values; interpolates linearly. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  if (sorted.length === 0) {
    return Number.NaN
  }
  const position = share * (sorted.length - 1)
  const below = sorted[Math.floor(position)] ?? Number.NaN
  const above = sorted[Math.ceil(position)] ?? below
  return below + (above - below) * (position - Math.floor(position))
}
