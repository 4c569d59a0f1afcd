import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Circumstances, describe } from './machine.ts'
import type { Row } from './row.ts'
import { type Call, type Cost, costsOf, cpuTime, loadTable, rounded, times } from './table.ts'
import { anonymousTable, loginRequestsTable, startAndMemoryTable } from './tables.ts'
import { targetsTable } from './targets.ts'

/** Not in git: each complete run replaces the results of the previous one on this machine, and a release publishes its own. */
export const RESULTS = path.resolve(import.meta.dirname, '../../results')
const FILE = path.join(RESULTS, 'peers')
/** Of the first quick run on a machine without results: not what a release publishes. */
const QUICK = path.resolve(RESULTS, '../../node_modules/.cache/bench-quick.json')

export interface Results extends Circumstances {
  readonly rows: readonly Row[]
}

const readResults = (file: string): Results | null =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results) : null

/** The results of the last saved run, or null. */
const lastResults = (): Results | null => readResults(`${FILE}.json`)

/** What a quick run is compared with, or null. */
export const comparedResults = (): Results | null => lastResults() ?? readResults(QUICK)

/** Saves a quick run for the next ones to be compared with, and returns the file. */
export function saveQuickResults(results: Results): string {
  mkdirSync(path.dirname(QUICK), { recursive: true })
  writeFileSync(QUICK, JSON.stringify(results, rounded))
  return path.relative(process.cwd(), QUICK)
}

/** A partial run replaces its benchmarks in the results of the same day and keeps the others. */
export function mergeWithLast(results: Results): Results {
  const last = lastResults()
  if (last === null || last.date !== results.date) {
    return results
  }
  const measured = new Set(results.rows.map(({ benchmark }) => benchmark))
  return {
    ...results,
    rows: [...last.rows.filter(({ benchmark }) => !measured.has(benchmark)), ...results.rows],
  }
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
  mkdirSync(RESULTS, { recursive: true })
  writeFileSync(`${FILE}.json`, `${JSON.stringify(results, rounded, 1)}\n`)
  writeFileSync(`${FILE}.svg`, chart(results.rows))
  const title = `# Results of ${results.date}\n\n![What a sign-in, a session check and a refresh cost](${path.basename(FILE)}.svg)\n\n`
  writeFileSync(`${FILE}.md`, title + asMarkdown(results))
  return path.relative(process.cwd(), `${FILE}.md`)
}

const WIDTH = 700
const LABELS = 310
const VALUES = 130
const BAR = 18
const GAP = 8
const PANEL_HEAD = 40
const PANEL_GAP = 8
const HEAD = 52

const PANELS: readonly (readonly [Call, string])[] = [
  ['login', 'One complete sign-in'],
  ['verify', 'One session check'],
  ['refresh', 'One refresh of the tokens'],
]

/** Follows the light or dark preference; both have sufficient contrast. Our bars also have bold labels. */
const STYLE = `
  svg { color-scheme: light dark; font: 14px system-ui, sans-serif; background: #fff; color: #1f2328 }
  text { fill: currentColor } .title { font-size: 16px; font-weight: 600 } .panel, .ours-text { font-weight: 600 }
  .muted { fill: #59636e } .bar { fill: #8c959f } .ours { fill: #0969da }
  @media (prefers-color-scheme: dark) {
    svg { background: #0d1117; color: #e6edf3 } .muted { fill: #9198a1 } .bar { fill: #6e7681 } .ours { fill: #4493f8 }
  }`

/** What a sign-in, a session check and a refresh cost beside other products, as a self-contained SVG bar chart. */
export function chart(rows: readonly Row[]): string {
  const panels = PANELS.map(([call, title]) => ({ title, costs: costsOf(call, rows) })).filter(
    ({ costs }) => costs.length > 0,
  )
  let top = HEAD
  const drawn = panels.map(({ title, costs }) => {
    const text = drawnPanel(title, costs, top)
    top += PANEL_HEAD + costs.length * (BAR + GAP) + PANEL_GAP
    return text
  })
  const size = `width="${WIDTH}" height="${top}" viewBox="0 0 ${WIDTH} ${top}"`
  const label = `role="img" aria-label="${escaped(describedIn(panels))}"`
  const head = [
    `<text class="title" x="16" y="28">CPU time of the server, less is better</text>\n`,
    `<text class="muted" x="16" y="48">Each group has its own scale; × compares with Gatehouse.</text>\n`,
  ]
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${label}>\n<style>${STYLE}\n</style>\n${head.join('')}${drawn.join('')}</svg>\n`
}

/** The same in words, for readers that do not see it. */
const describedIn = (
  panels: readonly { readonly title: string; readonly costs: readonly Cost[] }[],
): string =>
  panels
    .map(
      ({ title, costs }) =>
        `${title}: ${costs.map(({ name, cpuUs }) => `${name} ${cpuTime(cpuUs)}`).join(', ')}.`,
    )
    .join(' ')

function drawnPanel(title: string, costs: readonly Cost[], top: number): string {
  const most = Math.max(...costs.map(({ cpuUs }) => cpuUs))
  const lines = costs.map(({ name, ours, cpuUs, timesOurs }, index) => {
    const y = top + PANEL_HEAD + index * (BAR + GAP)
    const length = Math.max(1, (cpuUs / most) * (WIDTH - LABELS - VALUES))
    const middle = y + BAR - 5
    const weight = ours ? ' class="ours-text"' : ''
    const value = ours ? cpuTime(cpuUs) : `${cpuTime(cpuUs)} · ${times(timesOurs)}`
    return [
      `<text${weight} x="${LABELS - 10}" y="${middle}" text-anchor="end">${escaped(name)}</text>`,
      `<rect class="${ours ? 'ours' : 'bar'}" x="${LABELS}" y="${y}" width="${length.toFixed(1)}" height="${BAR}" rx="2"/>`,
      `<text${weight} x="${(LABELS + length + 8).toFixed(1)}" y="${middle}">${value}</text>\n`,
    ].join('')
  })
  return `<text class="panel" x="16" y="${top + 28}">${escaped(title)}</text>\n${lines.join('')}`
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
