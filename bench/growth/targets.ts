import { medianOf } from '../statistics.ts'
import type { Cost, Measured } from './measure.ts'
import { OPERATIONS } from './operations.ts'

/**
 * From 10⁶ to 10⁷ rows, everything that a person waits for may grow by 30 %, the owner's pages included. Below that, calls of
 * an app may grow by 15 % more than the raw transaction, or by 15 % if they use no database.
 */
const LARGE_RATIO = 1.3
const BEYOND_RAW = 1.15
const FLAT = 1.15
const SMALL = [
  { from: 1e4, to: 1e5 },
  { from: 1e4, to: 1e6 },
]
const LARGE = { from: 1e6, to: 1e7 }

export interface Verdict {
  readonly operation: string
  readonly from: number
  readonly to: number
  readonly growth: number
  readonly limit: number
  readonly met: boolean
}

/**
 * Growth of CPU time, because disk waits are the same at every size. Compares two sizes within each round, where they were
 * measured in turn, and uses the median of the ratios.
 */
export function verdicts(measured: readonly Measured[]): Verdict[] {
  const roundsOf = (operation: string, size: number): readonly Cost[] =>
    measured.find((each) => each.operation === operation && each.size === size)?.rounds ?? []
  const growth = (operation: string, from: number, to: number): number | null => {
    const after = roundsOf(operation, to)
    const ratios = roundsOf(operation, from).map(({ cpu }, round) => (after[round]?.cpu ?? Number.NaN) / cpu)
    return ratios.length === 0 || after.length === 0 ? null : medianOf(ratios)
  }
  return OPERATIONS.filter(({ target }) => target !== 'none').flatMap(({ name, target }) =>
    (target === 'page' ? [LARGE] : [...SMALL, LARGE]).flatMap(({ from, to }) => {
      const ratio = growth(name, from, to)
      const raw = growth('raw transaction', from, to)
      if (ratio === null || raw === null) return []
      const limit = from === LARGE.from ? LARGE_RATIO : target === 'flat' ? FLAT : Math.max(1, raw) * BEYOND_RAW
      return [{ operation: name, from, to, growth: ratio, limit, met: ratio <= limit }]
    }),
  )
}
