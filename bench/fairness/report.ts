import type { Engine } from '../../service/src/storage/engine.ts'
import { writeBetween } from '../report/between-markers.ts'
import { medianOf } from '../statistics.ts'
import type { Round, Wait } from './measure.ts'

/** How one load of a busy tenant affects the others. */
export interface Unfairness {
  readonly engine: Engine
  readonly load: string
  readonly rounds: readonly Round[]
}

const NAMES: Readonly<Record<Engine, string>> = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

/** Writes the table of docs/scaling.md. */
export function writeFairness(all: readonly Unfairness[]): void {
  writeBetween('scaling.md', ['<!-- measured: fairness -->', '<!-- end: fairness -->'], report(all))
}

/** Medians over the rounds; the ratios are those of the two samples of one round. */
export function report(all: readonly Unfairness[]): string {
  const rows = all.map(({ engine, load, rounds }) => {
    const wait = (when: 'quiet' | 'busy', figure: 'p50Ms' | 'p90Ms') =>
      medianOf(rounds.map((round) => round[when][figure])).toFixed(1)
    const ratio = (figure: 'p50Ms' | 'p90Ms') =>
      medianOf(rounds.map(({ quiet, busy }) => busy[figure] / quiet[figure])).toFixed(2)
    const rejected = (of: (round: Round) => Wait) => rounds.reduce((sum, round) => sum + of(round).rejected, 0)
    return [
      `${NAMES[engine]}, ${load}`,
      `${wait('quiet', 'p50Ms')} / ${wait('quiet', 'p90Ms')}`,
      `${wait('busy', 'p50Ms')} / ${wait('busy', 'p90Ms')}`,
      `${ratio('p50Ms')} / ${ratio('p90Ms')}`,
      String(rejected(({ busy }) => busy)),
    ]
  })
  const heads = ['One tenant sends', 'Others alone p50 / p90, ms', 'Others beside it', 'Ratio', 'Others rejected']
  return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
