import { LOGIN } from '../contenders/login-setups.ts'
import { LIVE, REFRESH } from '../contenders/verify-setups.ts'
import { type Spread, spreadOf } from '../statistics.ts'
import type { FigureName, Row } from './row.ts'

type Column = readonly [heading: string, cell: (row: Row, rows: readonly Row[]) => string]

const COLUMNS: readonly Column[] = [
  ['workload', ({ workload }) => workload],
  [
    'contender',
    ({ contender, durability }) =>
      durability === undefined ? contender : `${contender} (${durability})`,
  ],
  ['req/s', figure('perSecond', 0)],
  ['vs. echo', (row, rows) => formatSpread(ratioToEcho(row, rows, 'perSecond'), 2)],
  ['CPU µs', figure('cpuUs', 0)],
  ['CPU vs. echo', (row, rows) => formatSpread(ratioToEcho(row, rows, 'cpuUs'), 2)],
  ['p50 ms', figure('p50Ms', 2)],
  ['p99 ms', figure('p99Ms', 2)],
  ['RSS MB', figure('rssMb', 0)],
  ['load generator', figure('loadBusy', 2)],
]

/** The rows under load as a Markdown table: medians, with the range of the rounds in brackets. */
export function loadTable(rows: readonly Row[]): string {
  const lines = rows
    .filter(
      ({ figures, durability }) =>
        figures.perSecond !== undefined || durability?.startsWith('not measured'),
    )
    .map((row) => COLUMNS.map(([, cell]) => cell(row, rows)))
  return markdownTable(
    COLUMNS.map(([heading]) => heading),
    lines,
  )
}

export function markdownTable(
  headings: readonly string[],
  lines: readonly (readonly string[])[],
): string {
  const all = [headings, headings.map(() => '---'), ...lines]
  return all.map((cells) => `| ${cells.join(' | ')} |\n`).join('')
}

function figure(name: FigureName, digits: number): Column[1] {
  return ({ figures }) =>
    formatSpread(
      figures[name] === undefined || figures[name].length === 0 ? null : spreadOf(figures[name]),
      digits,
    )
}

export function formatSpread(spread: Spread | null, digits: number): string {
  if (spread === null) {
    return ''
  }
  const text = (value: number): string => groupThousands(value.toFixed(digits))
  const { median, low, high } = spread
  return text(low) === text(high) ? text(median) : `${text(median)} (${text(low)}–${text(high)})`
}

const groupThousands = (number: string): string =>
  number.replace(/\B(?=(\d{3})+(?!\d)(?<!\.\d*))/g, ',')

/** A replacer for `JSON.stringify`. Four digits are more precise than any of the measurements. */
export const rounded = (_key: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value

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
export function ratioOf(
  row: Row | undefined,
  other: Row | undefined,
  name: FigureName,
): Spread | null {
  const [ours, theirs] = [row?.figures[name], other?.figures[name]]
  if (ours === undefined || theirs === undefined) {
    return null
  }
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

/** The CPU time that one call costs a contender. */
export interface Cost {
  readonly name: string
  readonly ours: boolean
  readonly cpuUs: number
  /** How many times ours: the median of the rounds. 1 for ours. */
  readonly timesOurs: number
}

export type Call = 'verify' | 'refresh' | 'login'

const WORKLOADS: Record<Call, string> = { verify: LIVE, refresh: REFRESH, login: LOGIN }

/** Names as their users know them, by contender and the first word of where it stores its data. */
const NAMES: Readonly<Record<string, string>> = {
  'gatehouse ': 'Gatehouse',
  'gatehouse SQLite': 'Gatehouse (on disk)',
  'Express + jsonwebtoken HS256': 'Express + jsonwebtoken',
  'oidc-provider introspection memory': 'oidc-provider introspection (in memory)',
  'oidc-provider memory': 'oidc-provider (in memory)',
  'OpenAuth client.verify ES256': 'OpenAuth client.verify',
  'OpenAuth memory': 'OpenAuth (in memory)',
  'better-auth get-session cookie': 'better-auth get-session (cookie cache)',
  'better-auth get-session SQLite': 'better-auth get-session (on disk)',
  'better-auth SQLite': 'better-auth (on disk)',
  'Glewlwyd introspection C': 'Glewlwyd introspection (in C, on disk)',
  'Glewlwyd C': 'Glewlwyd (in C, on disk)',
}

/** What a call costs here and elsewhere, ours first, then the cheapest. Empty if this run did not measure it. */
export function costsOf(call: Call, rows: readonly Row[]): Cost[] {
  const measured = rows.filter(
    ({ workload, figures }) => workload === WORKLOADS[call] && figures.cpuUs !== undefined,
  )
  const us = measured.find(({ contender }) => contender === 'gatehouse')
  return measured
    .flatMap((row): Cost[] => {
      const { contender, durability = '', figures } = row
      const name = NAMES[`${contender} ${durability.split(/[ ,]/)[0]}`]
      const ours = row === us
      const timesOurs = ours ? 1 : ratioOf(us, row, 'cpuUs')?.median
      if (name === undefined || timesOurs === undefined) {
        return []
      }
      return [{ name, ours, cpuUs: spreadOf(figures.cpuUs ?? []).median, timesOurs }]
    })
    .sort((a, b) => Number(b.ours) - Number(a.ours) || a.cpuUs - b.cpuUs)
}

/** Microseconds, or milliseconds with one digit from 2 ms on. */
export const cpuTime = (us: number): string =>
  us >= 2_000 ? `${(us / 1_000).toFixed(1)} ms` : `${Math.round(us).toLocaleString('en-US')} µs`

export const times = (ratio: number): string => `${ratio.toFixed(ratio < 10 ? 1 : 0)}×`
