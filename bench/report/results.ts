import { globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { chart } from './chart.ts'
import { type Circumstances, inWords } from './machine.ts'
import { otherTable } from './other-table.ts'
import type { Row } from './row.ts'
import { loadTable } from './table.ts'
import { targetsTable } from './targets-table.ts'

const FOLDER = path.resolve(import.meta.dirname, '../results')

export interface Results extends Circumstances {
  readonly rows: readonly Row[]
}

/** The newest results there are, by their date; null: none yet. */
export function lastResults(): Results | null {
  const newest = globSync('????-??-??.json', { cwd: FOLDER }).sort().at(-1)
  return newest === undefined ? null : (JSON.parse(readFileSync(path.join(FOLDER, newest), 'utf8')) as Results)
}

/** A run of some pieces replaces those of the same day and keeps the others: a whole run is long. */
export function completed(results: Results): Results {
  const last = lastResults()
  if (last === null || last.date !== results.date) return results
  const measured = new Set(results.rows.map(({ piece }) => piece))
  return { ...results, rows: [...last.rows.filter(({ piece }) => !measured.has(piece)), ...results.rows] }
}

/** As text: what it was measured on, everything, and the targets. */
export const asMarkdown = (results: Results): string =>
  [
    inWords(results),
    '### Under load',
    loadTable(results.rows),
    '### Starting and standing',
    otherTable(results.rows),
    '### Against the targets',
    targetsTable(results.rows),
  ]
    .map((part) => part.trimEnd())
    .join('\n\n')
    .concat('\n')

/** Writes them beside the earlier ones, as numbers, as text and as a chart. */
export function saveResults(results: Results): string {
  const file = path.join(FOLDER, results.date)
  writeFileSync(`${file}.json`, `${JSON.stringify(results, rounded, 1)}\n`)
  writeFileSync(`${file}.svg`, chart(results.rows))
  const title = `# Results of ${results.date}\n\n![The same as a chart](${results.date}.svg)\n\n`
  writeFileSync(`${file}.md`, title + asMarkdown(results))
  return path.relative(process.cwd(), `${file}.md`)
}

/** Four digits are more than the spread allows for. */
const rounded = (_key: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value
