import type { Engine } from '../../service/src/storage/engine.ts'
import { writeBetween } from '../report/between-markers.ts'
import { medianOf } from '../statistics.ts'
import type { Cost } from './measure.ts'
import { exponent, type Growth, short } from './report.ts'

const ENGINES: readonly (readonly [Engine, string])[] = [
  ['sqlite', 'SQLite'],
  ['postgres', 'PostgreSQL'],
]
const SHOWN = [1e4, 1e6, 1e7] as const

/** Writes the table of docs/scaling.md: CPU time on both engines. */
export function writeGrowth(all: readonly Growth[]): void {
  writeBetween('scaling.md', ['<!-- measured: growth -->', '<!-- end: growth -->'], comparisonTable(all))
}

function comparisonTable(all: readonly Growth[]): string {
  const names = new Set(all.flatMap(({ measured }) => measured.map(({ operation }) => operation)))
  const [, from, to] = SHOWN
  const heads = ENGINES.flatMap(([, name]) => [
    ...SHOWN.map((size, at) => `${at === 0 ? `${name} ` : ''}${exponent(size)}`),
    `${exponent(from)} → ${exponent(to)}`,
  ])
  return [
    `| Operation, CPU µs | ${heads.join(' | ')} |`,
    `|---|${heads.map(() => '---').join('|')}|`,
    ...[...names].map((name) => `| ${name} | ${ENGINES.flatMap(([engine]) => cells(engine, name)).join(' | ')} |`),
  ].join('\n')

  function cells(engine: Engine, operation: string): string[] {
    const rounds = (size: number): readonly Cost[] =>
      all
        .find((each) => each.engine === engine)
        ?.measured.find((each) => each.operation === operation && each.size === size)?.rounds ?? []
    const costs = SHOWN.map((size) => {
      const cost = medianOf(rounds(size).map(({ cpu }) => cpu))
      return Number.isNaN(cost) ? '' : thousands(short(cost))
    })
    // Per round, because the two sizes of a round were measured in turn.
    const ratio = medianOf(rounds(to).map(({ cpu }, round) => cpu / (rounds(from)[round]?.cpu ?? Number.NaN)))
    return [...costs, Number.isNaN(ratio) ? '' : `${ratio.toFixed(2)}×`]
  }
}

const thousands = (digits: string): string => digits.replace(/\B(?=(?:\d{3})+$)/g, ',')
