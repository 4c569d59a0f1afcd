import type { Bench } from '../bench.ts'
import type { Setup } from '../contenders/setup.ts'
import { interleavedRounds } from '../load/rounds.ts'
import type { Row } from '../report/row.ts'

/** Measures the setups in interleaved rounds. */
export async function measure(
  bench: Bench,
  benchmark: Row['benchmark'],
  setups: readonly Setup[],
): Promise<Row[]> {
  const { rounds, seconds } = bench.options
  bench.log(
    `${benchmark}: ${rounds} rounds of ${seconds} s for ${setups.map(({ contender }) => contender).join(', ')}`,
  )
  const figures = await interleavedRounds(bench, setups)
  return setups.map(({ contender, workload, durability }, index) => ({
    benchmark,
    workload,
    contender,
    ...(durability === undefined ? {} : { durability }),
    figures: figures[index] ?? {},
  }))
}
