import type { Spread } from '../statistics.ts'
import { type FigureName, findRow, type Row } from './row.ts'
import { formatSpread, ratioToEcho } from './table.ts'

const COMPARED: Partial<Record<FigureName, string>> = {
  perSecond: 'requests per second',
  cpuUs: 'CPU',
  startMs: 'start',
}

interface Change {
  readonly what: string
  readonly before: Spread
  readonly now: Spread
  readonly verdict: 'slower' | 'faster' | 'unchanged'
}

/**
 * Compares ratios to the echo of the same run, because absolute figures differ between machines. A figure has changed if
 * the ranges of the rounds don't overlap.
 */
export function compare(rows: readonly Row[], earlier: readonly Row[]): Change[] {
  return rows
    .filter(({ contender }) => contender !== 'echo')
    .flatMap((row) => {
      const previous = findRow(earlier, row)
      if (previous === undefined) {
        return []
      }
      return (Object.keys(COMPARED) as FigureName[]).flatMap((name): Change[] => {
        const [before, now] = [ratioToEcho(previous, earlier, name), ratioToEcho(row, rows, name)]
        if (before === null || now === null) {
          return []
        }
        const what = `${row.contender}, ${row.workload}: ${COMPARED[name]} vs. echo`
        return [{ what, before, now, verdict: verdictOf(before, now) }]
      })
    })
}

const verdictOf = (before: Spread, now: Spread): Change['verdict'] => {
  if (now.high < before.low) {
    return 'slower'
  }
  return now.low > before.high ? 'faster' : 'unchanged'
}

export function comparison(changes: readonly Change[], since: string): string {
  const slower = changes.filter(({ verdict }) => verdict === 'slower')
  const lines = changes.map(
    ({ what, before, now, verdict }) =>
      `${verdict.padEnd(9)}  ${what}: ${formatSpread(before, 2)} → ${formatSpread(now, 2)}\n`,
  )
  const summary =
    slower.length === 0
      ? `Nothing became slower beyond the spread since ${since}.\n`
      : `${slower.length} of ${changes.length} became slower beyond the spread since ${since}.\n`
  return lines.join('') + summary
}
