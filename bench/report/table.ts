import { type Spread, spreadOf } from '../statistics.ts'
import { ratioToEcho } from './ratio.ts'
import type { FigureName, Row } from './row.ts'

type Column = readonly [heading: string, cell: (row: Row, rows: readonly Row[]) => string]

const COLUMNS: readonly Column[] = [
  ['work', ({ work }) => work],
  ['contender', ({ contender, durability }) => (durability === undefined ? contender : `${contender} (${durability})`)],
  ['req/s', figure('perSecond', 0)],
  ['of the echo', (row, rows) => shown(ratioToEcho(row, rows, 'perSecond'), 2)],
  ['CPU µs', figure('cpuUs', 0)],
  ['echo’s CPU of it', (row, rows) => shown(ratioToEcho(row, rows, 'cpuUs'), 2)],
  ['p50 ms', figure('p50Ms', 2)],
  ['p99 ms', figure('p99Ms', 2)],
  ['RSS MB', figure('rssMb', 0)],
  ['load busy', figure('loadBusy', 2)],
]

/** Rows of what was asked over HTTP, as a Markdown table: medians, and in brackets how far the rounds lay apart. */
export function loadTable(rows: readonly Row[]): string {
  const lines = rows
    .filter(({ figures }) => figures.perSecond !== undefined)
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
  return ({ figures }) => shown(figures[name] === undefined ? null : spreadOf(figures[name]), digits)
}

export function shown(spread: Spread | null, digits: number): string {
  if (spread === null) return ''
  const text = (value: number): string => grouped(value.toFixed(digits))
  const { median, low, high } = spread
  return text(low) === text(high) ? text(median) : `${text(median)} (${text(low)}–${text(high)})`
}

const grouped = (number: string): string => number.replace(/\B(?=(\d{3})+(?!\d)(?<!\.\d*))/g, ',')
