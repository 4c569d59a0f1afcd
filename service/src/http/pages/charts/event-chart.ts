import type { Daily } from '../../../domain/events/daily.ts'
import { heading, numberHeading, scrollTable } from '../elements.ts'
import { type Html, html } from '../markup.ts'
import { formatCompact, formatCount, formatNumber } from '../text.ts'
import { shortDay } from '../time.ts'
import { dayBar, type Frame, roundCeiling, slot, stackedOf } from './bars.ts'
import {
  CHART_KINDS,
  type ChartKind,
  DAYS_SHOWN,
  lastDays,
  SIGN_INS,
  totalOf,
} from './chart-kinds.ts'

const HEIGHT = 126
const TOP = 10
const PLOT = 90
const LABEL_GAP = 20
/** An upper bound for the width of a digit in the scale, in pixels. */
const DIGIT_WIDTH = 8

/** Events per day as bars, and a table of the exact numbers of every kind, which screen readers use too. */
export function eventChart(
  daily: readonly Daily[],
  now: number,
  count = DAYS_SHOWN,
  kind = SIGN_INS,
): Html {
  const days = lastDays(daily, now, count)
  const highest = Math.max(...days.map((day) => day[kind.count] + stackedOf(day, kind)))
  const chart =
    highest === 0
      ? html`<p class="none">No ${kind.plural} in the last ${count} days.</p>`
      : plot(days, kind, roundCeiling(highest))

  return html`<figure class="chart">
    ${chart}
    <details><summary>View as table</summary>${table(days)}</details>
  </figure>`
}

function plot(days: readonly Daily[], kind: ChartKind, ceiling: number): Html {
  const key = html`<span class="key${kind.count === 'failures' && ' failed'}">${kind.label}</span>`
  const stackedKey = kind.stacked && html` <span class="key failed">Failed</span>`
  const frame: Frame = { top: TOP, height: PLOT, ceiling }

  return html`
  <figcaption>
    <span>${key}${stackedKey}</span>
    <span class="busiest">${busiest(days, kind)}</span>
  </figcaption>
  <div class="plot">${scale(ceiling)}${bars(days, kind, frame)}</div>`
}

/** Beside the bars and sized in pixels: its labels must not shrink with the page. */
function scale(ceiling: number): Html {
  const labels = lines(ceiling).map(({ value, y }) => ({ text: formatCompact(value), y }))
  const width = Math.max(...labels.map(({ text }) => text.length)) * DIGIT_WIDTH
  const texts = labels.map(
    ({ text, y }) =>
      html`<text x="${width}" y="${y}" text-anchor="end" dominant-baseline="middle">${text}</text>`,
  )
  return html`<svg class="scale" aria-hidden="true" width="${width}" height="${HEIGHT}">${texts}</svg>`
}

const bars = (days: readonly Daily[], kind: ChartKind, frame: Frame): Html =>
  html`<svg class="bars" role="img" aria-label="${summary(days, kind)}" width="100%" height="${HEIGHT}">
    ${lines(frame.ceiling).map(({ y }) => html`<line x1="0" x2="100%" y1="${y}" y2="${y}"/>`)}
    ${days.map((day, index) => column(day, kind, index, days.length, frame))}
    ${days.map((day, index) => dayLabel(day, index, days.length))}
  </svg>`

interface Line {
  readonly value: number
  readonly y: number
}

const lines = (ceiling: number): Line[] => [
  { value: ceiling, y: TOP },
  { value: ceiling / 2, y: TOP + PLOT / 2 },
  { value: 0, y: TOP + PLOT },
]

/** The whole column of a day shows its title on hover. */
const column = (
  day: Daily,
  kind: ChartKind,
  index: number,
  count: number,
  frame: Frame,
): Html => html`<g class="day"><title>${titleOf(day, kind)}</title>
  <rect class="ground" x="${slot(index, count).left}" width="${slot(1, count).left}" y="${TOP}" height="${PLOT}"/>${dayBar(day, kind, index, count, frame)}</g>`

/** Labels every seventh day back from today, of a longer or shorter period about as many; narrow pages hide every second label. */
function dayLabel({ day }: Daily, index: number, count: number): Html | false {
  const back = count - 1 - index
  const step = daysBetweenLabels(count)
  if (back % step !== 0) {
    return false
  }

  const isSpare = back % (2 * step) !== 0
  const { x, anchor } = placeOfLabel(index, count)
  return html`<text${isSpare && html` class="spare"`} x="${x}" y="${TOP + PLOT + LABEL_GAP}" text-anchor="${anchor}">${labelOf(day)}</text>`
}

function daysBetweenLabels(count: number): number {
  if (count > 45) {
    return 14
  }
  return count > 10 ? 7 : 1
}

interface LabelPlace {
  readonly x: string
  readonly anchor: 'start' | 'middle' | 'end'
}

/** The first and the last label must stay inside the frame. */
function placeOfLabel(index: number, count: number): LabelPlace {
  if (index === count - 1) {
    return { x: '100%', anchor: 'end' }
  }
  if (index < count / 10) {
    return { x: slot(index, count).left, anchor: 'start' }
  }
  return { x: slot(index, count).middle, anchor: 'middle' }
}

const COLUMNS = Object.values(CHART_KINDS)

const table = (days: readonly Daily[]): Html =>
  scrollTable({
    caption: `The last ${days.length} days, newest first (UTC)`,
    head: [heading('Day'), ...COLUMNS.map(({ label }) => numberHeading(label))],
    rows: days.toReversed().map(tableRow),
  })

function tableRow(day: Daily): Html {
  const numbers = COLUMNS.map(
    ({ count }) => html`<td class="number">${formatNumber(day[count])}</td>`,
  )
  return html`<tr><th scope="row"><time datetime="${day.day}">${labelOf(day.day)}</time></th>${numbers}</tr>`
}

/** The accessible name of the chart, and of its small form on the dashboard. */
export function summary(days: readonly Daily[], kind = SIGN_INS): string {
  const { count, stacked, singular, plural } = kind
  const failed = stacked === undefined ? '' : ` and ${formatNumber(totalOf(days, stacked))} failed`
  const total = formatCount(totalOf(days, count), singular, plural)
  return `${total}${failed} in the last ${days.length} days. ${busiest(days, kind)}`.trimEnd()
}

function busiest(days: readonly Daily[], { count, singular, plural }: ChartKind): string {
  const top = days.reduce((best, day) => (day[count] > best[count] ? day : best))
  if (top[count] === 0) {
    return ''
  }
  return `Busiest day: ${labelOf(top.day)}, with ${formatCount(top[count], singular, plural)}.`
}

function titleOf(day: Daily, kind: ChartKind): string {
  const events = formatCount(day[kind.count], kind.singular, kind.plural)
  const title = `${labelOf(day.day)}: ${events}`
  const failed = stackedOf(day, kind)
  return failed > 0 ? `${title}, ${formatNumber(failed)} failed` : title
}

const labelOf = (day: string): string => shortDay(Date.parse(day))
