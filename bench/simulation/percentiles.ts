/** The value that so many percent do not exceed. */
export function percentile(values: readonly number[], percent: number): number {
  if (values.length === 0) return Number.NaN
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] as number
}

export interface Percentiles {
  readonly p50: number
  readonly p99: number
  readonly max: number
}

export const percentilesOf = (values: readonly number[]): Percentiles => ({
  p50: percentile(values, 50),
  p99: percentile(values, 99),
  max: percentile(values, 100),
})
