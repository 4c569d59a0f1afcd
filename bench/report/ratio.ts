import { type Spread, spreadOf } from '../statistics.ts'
import type { FigureName, Row } from './row.ts'

/** Lower values of these are better. Their ratios are inverted, so that above 1 is always better. */
const LESS_IS_BETTER: ReadonlySet<FigureName> = new Set([
  'cpuUs',
  'cpuMs',
  'p50Ms',
  'p99Ms',
  'rssMb',
  'startMs',
  'importMs',
  'firstByteMs',
  'growthMb',
])

/**
 * The ratio of two rows, computed per round, because noise in a round affects both. Null if either was not measured.
 */
export function ratioOf(row: Row | undefined, other: Row | undefined, name: FigureName): Spread | null {
  const [ours, theirs] = [row?.figures[name], other?.figures[name]]
  if (ours === undefined || theirs === undefined) return null
  const ratios = ours.map((value, round) => {
    const compared = theirs[round] ?? Number.NaN
    return LESS_IS_BETTER.has(name) ? compared / value : value / compared
  })
  return spreadOf(ratios.filter(Number.isFinite))
}

export const ratioToEcho = (row: Row, rows: readonly Row[], name: FigureName): Spread | null =>
  ratioOf(
    row,
    rows.find(({ contender, benchmark }) => contender === 'echo' && benchmark === row.benchmark),
    name,
  )
