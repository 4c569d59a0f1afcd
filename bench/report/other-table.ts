import { spreadOf } from '../statistics.ts'
import type { FigureName, Row } from './row.ts'
import { markdownTable, shown } from './table.ts'

const UNITS: Partial<Record<FigureName, string>> = {
  startMs: 'ms',
  importMs: 'ms',
  firstByteMs: 'ms to the first byte',
  rssMb: 'MB resident',
  growthMb: 'MB more than before',
}

/** What is not asked over and over: starts, imports, memory. */
export function otherTable(rows: readonly Row[]): string {
  const lines = rows
    .filter(({ figures }) => figures.perSecond === undefined)
    .map(({ work, contender, figures }) => {
      const pendingEvents = (Object.keys(UNITS) as FigureName[]).flatMap((name) => {
        const values = figures[name]
        return values === undefined ? [] : [`${shown(spreadOf(values), 0)} ${UNITS[name]}`]
      })
      return [work, contender, pendingEvents.join(', ')]
    })
  return lines.length === 0 ? '' : markdownTable(['What', 'Whose', 'Measured'], lines)
}
