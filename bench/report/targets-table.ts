import type { Row } from './row.ts'
import { formatSpread, markdownTable } from './table.ts'
import { isMet, TARGETS } from './targets.ts'

/** The targets and their measurements, without targets that this run did not measure. */
export function targetsTable(rows: readonly Row[]): string {
  const lines = TARGETS.flatMap((target) => {
    const spread = target.measured(rows)
    if (spread === null) return []
    const sign = target.kind === 'at least' ? '≥' : '≤'
    const verdict = isMet(target, spread) ? 'met' : '**not met**'
    return [
      [target.what, `${sign} ${target.limit} ${target.unit}`, formatSpread(spread, digitsFor(spread.median)), verdict],
    ]
  })
  return markdownTable(['Metric', 'Target', 'Measured', 'Result'], lines)
}

const digitsFor = (value: number): number => (Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2)
