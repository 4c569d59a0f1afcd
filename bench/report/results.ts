import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { anonymousTable } from './anonymous-table.ts'
import { chart } from './chart.ts'
import { loginRequestsTable } from './login-requests-table.ts'
import { type Circumstances, describe } from './machine.ts'
import { rounded } from './rounded.ts'
import type { Row } from './row.ts'
import { startAndMemoryTable } from './start-and-memory-table.ts'
import { loadTable } from './table.ts'
import { targetsTable } from './targets-table.ts'

/** No date in the name: each run replaces the previous results, and git keeps the history. */
const FILE = path.resolve(import.meta.dirname, '../results/peers')

export interface Results extends Circumstances {
  readonly rows: readonly Row[]
}

/** The results of the last saved run, or null. */
export const lastResults = (): Results | null =>
  existsSync(`${FILE}.json`) ? (JSON.parse(readFileSync(`${FILE}.json`, 'utf8')) as Results) : null

/** A partial run replaces its benchmarks in the results of the same day and keeps the others. */
export function mergeWithLast(results: Results): Results {
  const last = lastResults()
  if (last === null || last.date !== results.date) return results
  const measured = new Set(results.rows.map(({ benchmark }) => benchmark))
  return { ...results, rows: [...last.rows.filter(({ benchmark }) => !measured.has(benchmark)), ...results.rows] }
}

/** The circumstances, all measurements and the targets as Markdown. Leaves out what this run did not measure. */
export const asMarkdown = (results: Results): string =>
  [
    ['', describe(results)],
    ['### Under load', loadTable(results.rows)],
    ['### A login by request', loginRequestsTable(results.rows)],
    ['### Startup and memory', startAndMemoryTable(results.rows)],
    ['### The dearest requests without a credential', anonymousTable(results.rows)],
    ['### Targets', targetsTable(results.rows)],
  ]
    .filter(([, part]) => part !== '')
    .map((section) => section.join('\n\n').trim())
    .join('\n\n')
    .concat('\n')

/** Replaces the previous results: JSON, Markdown and chart. */
export function saveResults(results: Results): string {
  writeFileSync(`${FILE}.json`, `${JSON.stringify(results, rounded, 1)}\n`)
  writeFileSync(`${FILE}.svg`, chart(results.rows))
  const title = `# Results of ${results.date}\n\n![What a sign-in, a session check and a refresh cost](${path.basename(FILE)}.svg)\n\n`
  writeFileSync(`${FILE}.md`, title + asMarkdown(results))
  return path.relative(process.cwd(), `${FILE}.md`)
}
