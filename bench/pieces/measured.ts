import type { Bench } from '../bench.ts'
import type { Entry } from '../contenders/entry.ts'
import { interleavedRounds } from '../load/rounds.ts'
import type { Row } from '../report/row.ts'

/** Everybody who stands ready, round by round, as rows. */
export async function measured(bench: Bench, piece: Row['piece'], entries: readonly Entry[]): Promise<Row[]> {
  const { rounds, seconds } = bench.options
  bench.say(`${piece}: ${rounds} rounds of ${seconds} s for ${entries.map(({ contender }) => contender).join(', ')}`)
  const figures = await interleavedRounds(bench, entries)
  return entries.map(({ contender, work, durability }, index) => ({
    piece,
    work,
    contender,
    ...(durability === undefined ? {} : { durability }),
    figures: figures[index] ?? {},
  }))
}
