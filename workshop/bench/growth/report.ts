import { cpus, totalmem } from 'node:os'
import type { Engine } from '../../../service/src/storage/engine.ts'
import { medianOf, spreadOf } from '../statistics.ts'
import type { Cost, Measured } from './measure.ts'
import { OPERATIONS } from './operations.ts'
import type { UsersList } from './users-list.ts'

export interface Growth {
  readonly date: string
  readonly engine: Engine
  readonly sizes: readonly number[]
  readonly rounds: number
  readonly generatedInS: Readonly<Record<number, number>>
  /** Size on disk after generation. */
  readonly megabytes?: Readonly<Record<number, number>>
  readonly measured: readonly Measured[]
  readonly lists: readonly UsersList[]
}

/** The report as Markdown, for the terminal and workshop/results. */
export function report(growth: Growth): string {
  const { date, engine, sizes, rounds, generatedInS, megabytes = {}, lists } = growth
  const generated = sizes
    .map(
      (size) =>
        `${exponent(size)} in ${short(generatedInS[size] ?? 0)} s (${short(megabytes[size] ?? 0)} MB)`,
    )
    .join(', ')
  return [
    `## Growth on ${NAMES[engine]}`,
    '',
    `Measured on ${date}: ${rounds} rounds after a warm-up, sizes and operations interleaved. Node ${process.version}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB. Generated: ${generated}.`,
    'Microseconds per operation: median (lowest to highest round). CPU time includes the database server.',
    '',
    '### CPU time',
    '',
    ...table(growth, ({ cpu }) => cpu),
    '',
    '### Wall time',
    '',
    ...table(growth, ({ wall }) => wall),
    '',
    '### Targets',
    '',
    '| Operation | From | To | Growth | Limit | Result |',
    '|---|---|---|---|---|---|',
    ...verdicts(growth.measured).map(
      ({ operation, from, to, growth, limit, met }) =>
        `| ${operation} | ${exponent(from)} | ${exponent(to)} | ${growth.toFixed(2)} | ${limit.toFixed(2)} | ${met ? 'met' : '**not met**'} |`,
    ),
    '',
    '### Users list, streamed to another process',
    '',
    '| Rows | Users | MB | First byte, ms | Total, ms | RSS growth, MB | Longest event-loop stall, ms |',
    '|---|---|---|---|---|---|---|',
    ...lists.map(
      (list) =>
        `| ${exponent(list.size)} | ${list.users} | ${list.megabytes.toFixed(1)} | ${list.firstByteMs.toFixed(0)} | ${list.totalMs.toFixed(0)} | ${list.rssGrowthMb.toFixed(1)} | ${list.longestStallMs.toFixed(0)} |`,
    ),
    '',
  ].join('\n')
}

const NAMES: Record<Engine, string> = {
  sqlite: 'SQLite (WAL, synced before each response)',
  postgres: 'PostgreSQL (fsync and synchronous_commit on)',
}

function table({ sizes, measured }: Growth, pick: (cost: Cost) => number): string[] {
  const [first = 0, last = 0] = [sizes[0], sizes.at(-1)]
  const names = [...new Set(measured.map(({ operation }) => operation))]
  const at = (operation: string, size: number) => {
    const rounds =
      measured.find((each) => each.operation === operation && each.size === size)?.rounds ?? []
    return spreadOf(rounds.map(pick))
  }
  return [
    `| Operation | ${sizes.map(exponent).join(' | ')} | ${exponent(first)} → ${exponent(last)} |`,
    `|---|${sizes.map(() => '---').join('|')}|---|`,
    ...names.map((name) => {
      const cells = sizes.map((size) => {
        const { median, low, high } = at(name, size)
        return `${short(median)} (${short(low)} to ${short(high)})`
      })
      const ratio = at(name, last).median / at(name, first).median
      return `| ${name} | ${cells.join(' | ')} | ${ratio.toFixed(2)}× |`
    }),
  ]
}

export const short = (value: number): string =>
  value < 10 ? value.toFixed(1) : String(Math.round(value))

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** A power of ten such as 10⁶, otherwise the number itself. */
export function exponent(size: number): string {
  const power = Math.log10(size)
  return Number.isInteger(power) ? `10${SUPERSCRIPTS[power]}` : String(size)
}

/**
 * From 10⁶ to 10⁷ rows, everything that a person waits for may grow by 30 %, the owner's pages included. Below that, calls of
 * an app may grow by 15 % more than the raw transaction, or by 15 % if they use no database.
 */
const LARGE_RATIO = 1.3
const BEYOND_RAW = 1.15
const FLAT = 1.15
const SMALL = [
  { from: 1e4, to: 1e5 },
  { from: 1e4, to: 1e6 },
]
const LARGE = { from: 1e6, to: 1e7 }

interface Verdict {
  readonly operation: string
  readonly from: number
  readonly to: number
  readonly growth: number
  readonly limit: number
  readonly met: boolean
}

/**
 * Growth of CPU time, because disk waits are the same at every size. Compares two sizes within each round, where they were
 * measured in turn, and uses the median of the ratios.
 */
function verdicts(measured: readonly Measured[]): Verdict[] {
  const roundsOf = (operation: string, size: number): readonly Cost[] =>
    measured.find((each) => each.operation === operation && each.size === size)?.rounds ?? []
  const growth = (operation: string, from: number, to: number): number | null => {
    const after = roundsOf(operation, to)
    const ratios = roundsOf(operation, from).map(
      ({ cpu }, round) => (after[round]?.cpu ?? Number.NaN) / cpu,
    )
    return ratios.length === 0 || after.length === 0 ? null : medianOf(ratios)
  }
  return OPERATIONS.filter(({ target }) => target !== 'none').flatMap(({ name, target }) =>
    (target === 'page' ? [LARGE] : [...SMALL, LARGE]).flatMap(({ from, to }) => {
      const ratio = growth(name, from, to)
      const raw = growth('raw transaction', from, to)
      if (ratio === null || raw === null) {
        return []
      }
      const ordinaryLimit = target === 'flat' ? FLAT : Math.max(1, raw) * BEYOND_RAW
      const limit = from === LARGE.from ? LARGE_RATIO : ordinaryLimit
      return [{ operation: name, from, to, growth: ratio, limit, met: ratio <= limit }]
    }),
  )
}
