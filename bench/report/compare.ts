import type { Spread } from '../statistics.ts'
import { findRow } from './find-row.ts'
import { ratioToEcho } from './ratio.ts'
import type { FigureName, Row } from './row.ts'
import { shown } from './table.ts'

const COMPARED: Partial<Record<FigureName, string>> = {
  perSecond: 'requests a second',
  cpuUs: 'CPU',
  startMs: 'start',
}

export interface Change {
  readonly what: string
  readonly before: Spread
  readonly now: Spread
  readonly verdict: 'slower' | 'faster' | 'the same'
}

/**
 * Ratios to the echo of the same run, now and then: those carry over from one machine and hour to another, absolute
 * figures do not. It changed if no round of now is among the rounds of then.
 */
export function compare(rows: readonly Row[], earlier: readonly Row[]): Change[] {
  return rows
    .filter(({ contender }) => contender !== 'echo')
    .flatMap((row) => {
      const then = findRow(earlier, row)
      if (then === undefined) return []
      return (Object.keys(COMPARED) as FigureName[]).flatMap((name): Change[] => {
        const [before, now] = [ratioToEcho(then, earlier, name), ratioToEcho(row, rows, name)]
        if (before === null || now === null) return []
        const what = `${row.contender}, ${row.work}: ${COMPARED[name]}, of the echo`
        return [{ what, before, now, verdict: verdictOf(before, now) }]
      })
    })
}

const verdictOf = (before: Spread, now: Spread): Change['verdict'] => {
  if (now.high < before.low) return 'slower'
  return now.low > before.high ? 'faster' : 'the same'
}

export function comparison(changes: readonly Change[], since: string): string {
  const slower = changes.filter(({ verdict }) => verdict === 'slower')
  const lines = changes.map(
    ({ what, before, now, verdict }) => `${verdict.padEnd(8)}  ${what}: ${shown(before, 2)} → ${shown(now, 2)}\n`,
  )
  const summary =
    slower.length === 0
      ? `Nothing got slower beyond the spread since ${since}.\n`
      : `${slower.length} of ${changes.length} got slower beyond the spread since ${since}.\n`
  return lines.join('') + summary
}
