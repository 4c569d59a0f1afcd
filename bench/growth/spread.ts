/** Middle, lowest and highest of several rounds. */
export interface Spread {
  readonly median: number
  readonly low: number
  readonly high: number
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [low = Number.NaN, high = low] = sorted.length % 2 === 0 ? sorted.slice(middle - 1) : sorted.slice(middle)
  return sorted.length % 2 === 0 ? (low + high) / 2 : low
}

export const spreadOf = (values: readonly number[]): Spread => ({
  median: median(values),
  low: Math.min(...values),
  high: Math.max(...values),
})
