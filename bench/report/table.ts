import { type Spread, spreadOf } from '../statistics.ts'
import { ratioToEcho } from './ratio.ts'
import type { FigureName, Row } from './row.ts'

type Column = readonly [heading: string, cell: (row: Row, rows: readonly Row[]) => string]

const COLUMNS: readonly Column[] = [
  ['workload', ({ workload }) => workload],
  ['contender', ({ contender, durability }) => (durability === undefined ? contender : `${contender} (${durability})`)],
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
    .filter(({ figures, durability }) => figures.perSecond !== undefined || durability?.startsWith('not measured'))
    .map((row) => COLUMNS.map(([, cell]) => cell(row, rows)))
  return markdownTable(
    COLUMNS.map(([heading]) => heading),
    lines,
  )
}

export function markdownTable(headings: readonly string[], lines: readonly (readonly string[])[]): string {
  const all = [headings, headings.map(() => '---'), ...lines]
  return all.map((cells) => `| ${cells.join(' | ')} |\n`).join('')
}

function figure(name: FigureName, digits: number): Column[1] {
  return ({ figures }) =>
    formatSpread(figures[name] === undefined || figures[name].length === 0 ? null : spreadOf(figures[name]), digits)
}

export function formatSpread(spread: Spread | null, digits: number): string {
  if (spread === null) return ''
  const text = (value: number): string => groupThousands(value.toFixed(digits))
  const { median, low, high } = spread
  return text(low) === text(high) ? text(median) : `${text(median)} (${text(low)}–${text(high)})`
}

const groupThousands = (number: string): string => number.replace(/\B(?=(\d{3})+(?!\d)(?<!\.\d*))/g, ',')
