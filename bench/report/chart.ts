import { FIRST_RESPONSE } from '../benchmarks/start.ts'
import { LOGIN } from '../contenders/login-setups.ts'
import { REFRESH } from '../contenders/refresh-setups.ts'
import { LIVE } from '../contenders/verify-setups.ts'
import { spreadOf } from '../statistics.ts'
import { ratioToEcho } from './ratio.ts'
import type { Row } from './row.ts'

interface Bar {
  readonly label: string
  readonly value: number
  readonly ours: boolean
}

interface Panel {
  readonly title: string
  readonly unit: string
  readonly digits: number
  readonly bars: readonly Bar[]
}

const WIDTH = 760
const LABELS = 290
const VALUES = 90
const BAR = 18
const GAP = 8
const PANEL_HEAD = 38

/** Follows the light or dark preference; both have sufficient contrast. */
const STYLE = `
  svg { color-scheme: light dark; font: 13px system-ui, sans-serif; background: #fff; color: #1f2328 }
  text { fill: currentColor } .title { font-weight: 600 } .bar { fill: #8c959f } .ours { fill: #0969da }
  @media (prefers-color-scheme: dark) {
    svg { background: #0d1117; color: #e6edf3 } .bar { fill: #6e7681 } .ours { fill: #4493f8 }
  }`

/** The main figures as a self-contained SVG bar chart. */
export function chart(rows: readonly Row[]): string {
  const panels = panelsOf(rows).filter(({ bars }) => bars.length > 0)
  let top = 12
  const drawn = panels.map((panel) => {
    const text = drawnPanel(panel, top)
    top += PANEL_HEAD + panel.bars.length * (BAR + GAP) + 12
    return text
  })
  const size = `width="${WIDTH}" height="${top}" viewBox="0 0 ${WIDTH} ${top}"`
  const label = 'role="img" aria-label="Contenders compared to the echo"'
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${label}>\n<style>${STYLE}\n</style>\n${drawn.join('')}</svg>\n`
}

function panelsOf(rows: readonly Row[]): Panel[] {
  const of = (workload: string): Row[] => rows.filter((row) => row.workload === workload)
  const relativeToEcho = (workload: string): Bar[] =>
    of(workload).flatMap((row) => bar(row, ratioToEcho(row, rows, 'perSecond')?.median))
  return [
    { title: 'Verify: requests per second relative to the echo', unit: '', digits: 2, bars: relativeToEcho(LIVE) },
    { title: 'Refresh: requests per second relative to the echo', unit: '', digits: 2, bars: relativeToEcho(REFRESH) },
    {
      title: 'Complete login: CPU, less is better',
      unit: ' ms',
      digits: 1,
      bars: of(LOGIN).flatMap((row) => bar(row, medianOf(row.figures.cpuUs, 1 / 1_000))),
    },
    {
      title: 'From start to first response, less is better',
      unit: ' ms',
      digits: 0,
      bars: of(FIRST_RESPONSE).flatMap((row) => bar(row, medianOf(row.figures.startMs))),
    },
  ]
}

const medianOf = (values: readonly number[] | undefined, scale = 1): number | undefined =>
  values === undefined ? undefined : spreadOf(values).median * scale

function bar({ contender, durability }: Row, value: number | undefined): Bar[] {
  if (value === undefined) return []
  const label = durability === undefined ? contender : `${contender} (${durability.split(',')[0]})`
  return [{ label, value, ours: contender === 'gatehouse' }]
}

function drawnPanel({ title, unit, digits, bars }: Panel, top: number): string {
  const most = Math.max(...bars.map(({ value }) => value))
  const lines = bars.map(({ label, value, ours }, index) => {
    const y = top + PANEL_HEAD + index * (BAR + GAP)
    const length = Math.max(1, (value / most) * (WIDTH - LABELS - VALUES))
    const middle = y + BAR - 5
    return [
      `<text x="${LABELS - 10}" y="${middle}" text-anchor="end">${escaped(label)}</text>`,
      `<rect class="${ours ? 'ours' : 'bar'}" x="${LABELS}" y="${y}" width="${length.toFixed(1)}" height="${BAR}" rx="2"/>`,
      `<text x="${(LABELS + length + 8).toFixed(1)}" y="${middle}">${value.toFixed(digits)}${unit}</text>\n`,
    ].join('')
  })
  return `<text class="title" x="16" y="${top + 20}">${escaped(title)}</text>\n${lines.join('')}`
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
