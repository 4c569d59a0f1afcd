import { medianOf } from '../statistics.ts'
import type { Cost, Measured } from './measure.ts'
import { OPERATIONS } from './operations.ts'

/** From one million rows to ten nothing may cost a third more; below, no more than the engine itself. */
const LARGE_RATIO = 1.3
const BEYOND_RAW = 1.15
const FLAT = 1.15

export interface Verdict {
  readonly operation: string
  readonly from: number
  readonly to: number
  readonly grew: number
  readonly allowed: number
  readonly met: boolean
}

/**
 * Growth of processor time, which is what more rows cost; waiting for the disk is the same at every size. Two sizes are
 * compared within a round, where they were measured one after the other, and the median of those ratios is what counts.
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
    [
      { from: 1e4, to: 1e5 },
      { from: 1e4, to: 1e6 },
      { from: 1e6, to: 1e7 },
    ].flatMap(({ from, to }) => {
      const grew = growth(name, from, to)
      const raw = growth('raw transaction', from, to)
      if (grew === null || raw === null) return []
      const allowed = target === 'flat' ? FLAT : from === 1e6 ? LARGE_RATIO : Math.max(1, raw) * BEYOND_RAW
      return [{ operation: name, from, to, grew, allowed, met: grew <= allowed }]
    }),
  )
}
