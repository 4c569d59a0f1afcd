import { spreadOf } from '../statistics.ts'
import type { FigureName, Row } from './row.ts'
import { formatSpread, markdownTable } from './table.ts'

const UNITS: Partial<Record<FigureName, string>> = {
  startMs: 'ms',
  cpuMs: 'ms of CPU time',
  importMs: 'ms',
  firstByteMs: 'ms to the first byte',
  rssMb: 'MB resident',
  growthMb: 'MB growth',
}

/** Measurements without load: starts, imports, memory. */
export function startAndMemoryTable(rows: readonly Row[]): string {
  const lines = rows
    .filter(({ benchmark }) => benchmark === 'start' || benchmark === 'memory')
    .map(({ workload, contender, figures }) => {
      const measurements = (Object.keys(UNITS) as FigureName[]).flatMap((name) => {
        const values = figures[name]
        return values === undefined ? [] : [`${formatSpread(spreadOf(values), 0)} ${UNITS[name]}`]
      })
      return [workload, contender, measurements.join(', ')]
    })
  return lines.length === 0 ? '' : markdownTable(['Metric', 'Contender', 'Measured'], lines)
}
