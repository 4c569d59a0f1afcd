import { type Spread, spreadOf } from '../statistics.ts'
import type { FigureName, Row } from './row.ts'

/** More of these is worse, so that a ratio is turned round: above 1 is always better than what it is compared with. */
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
 * How many times as good one is as the other, round by round: what the machine did in a round, it did to both. null
 * when either was not measured.
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
    rows.find(({ contender, piece }) => contender === 'echo' && piece === row.piece),
    name,
  )
