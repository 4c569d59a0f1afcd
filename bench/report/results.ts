import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { chart } from './chart.ts'
import { type Circumstances, inWords } from './machine.ts'
import { otherTable } from './other-table.ts'
import { rounded } from './rounded.ts'
import type { Row } from './row.ts'
import { loadTable } from './table.ts'
import { targetsTable } from './targets-table.ts'

/** One name and no date: each run replaces the results of the one before, and git keeps the history. */
const FILE = path.resolve(import.meta.dirname, '../results/peers')

export interface Results extends Circumstances {
  readonly rows: readonly Row[]
}

/** The results of the last run that was kept; null: none yet. */
export const lastResults = (): Results | null =>
  existsSync(`${FILE}.json`) ? (JSON.parse(readFileSync(`${FILE}.json`, 'utf8')) as Results) : null

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

/** Replaces the earlier results, as numbers, as text and as a chart. */
export function saveResults(results: Results): string {
  writeFileSync(`${FILE}.json`, `${JSON.stringify(results, rounded, 1)}\n`)
  writeFileSync(`${FILE}.svg`, chart(results.rows))
  const title = `# Results of ${results.date}\n\n![The same as a chart](${path.basename(FILE)}.svg)\n\n`
  writeFileSync(`${FILE}.md`, title + asMarkdown(results))
  return path.relative(process.cwd(), `${FILE}.md`)
}
