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
  return html`<figure class="chart">
    ${highest === 0 ? html`<p class="none">No ${kind.plural} in the last ${count} days.</p>` : plot(days, kind, roundCeiling(highest))}
    <details><summary>View as table</summary>${table(days)}</details>
  </figure>`
}

const plot = (days: readonly Daily[], kind: ChartKind, ceiling: number): Html => html`
  <figcaption>
    <span><span class="key${kind.count === 'failures' && ' failed'}">${kind.label}</span>${kind.stacked && html` <span class="key failed">Failed</span>`}</span>
    <span class="busiest">${busiest(days, kind)}</span>
  </figcaption>
  <div class="plot">${scale(ceiling)}${bars(days, kind, { top: TOP, height: PLOT, ceiling })}</div>`

/** Beside the bars and sized in pixels: its labels must not shrink with the page. */
const scale = (ceiling: number): Html => {
  const width =
    Math.max(...lines(ceiling).map(([value]) => formatCompact(value).length)) * DIGIT_WIDTH
  return html`<svg class="scale" aria-hidden="true" width="${width}" height="${HEIGHT}">${lines(
    ceiling,
  ).map(
    ([value, y]) =>
      html`<text x="${width}" y="${y}" text-anchor="end" dominant-baseline="middle">${formatCompact(value)}</text>`,
  )}</svg>`
}

const bars = (days: readonly Daily[], kind: ChartKind, frame: Frame): Html =>
  html`<svg class="bars" role="img" aria-label="${summary(days, kind)}" width="100%" height="${HEIGHT}">
    ${lines(frame.ceiling).map(([, y]) => html`<line x1="0" x2="100%" y1="${y}" y2="${y}"/>`)}
    ${days.map((day, index) => column(day, kind, index, days.length, frame))}
    ${days.map((day, index) => dayLabel(day, index, days.length))}
  </svg>`

const lines = (ceiling: number): [value: number, y: number][] => [
  [ceiling, TOP],
  [ceiling / 2, TOP + PLOT / 2],
  [0, TOP + PLOT],
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
  const [x, anchor] = placeOfLabel(index, count)
  return html`<text${back % (2 * step) !== 0 && html` class="spare"`} x="${x}" y="${TOP + PLOT + LABEL_GAP}" text-anchor="${anchor}">${labelOf(day)}</text>`
}

function daysBetweenLabels(count: number): number {
  if (count > 45) {
    return 14
  }
  return count > 10 ? 7 : 1
}

/** The first and the last label must stay inside the frame. */
function placeOfLabel(index: number, count: number): [x: string, anchor: string] {
  if (index === count - 1) {
    return ['100%', 'end']
  }
  if (index < count / 10) {
    return [slot(index, count).left, 'start']
  }
  return [slot(index, count).middle, 'middle']
}

const table = (days: readonly Daily[]): Html =>
  scrollTable({
    caption: `The last ${days.length} days, newest first (UTC)`,
    head: [heading('Day'), ...Object.values(CHART_KINDS).map(({ label }) => numberHeading(label))],
    rows: days
      .toReversed()
      .map(
        (day) =>
          html`<tr><th scope="row"><time datetime="${day.day}">${labelOf(day.day)}</time></th>${Object.values(
            CHART_KINDS,
          ).map(({ count }) => html`<td class="number">${formatNumber(day[count])}</td>`)}</tr>`,
      ),
  })

/** The accessible name of the chart, and of its small form on the dashboard. */
export function summary(days: readonly Daily[], kind = SIGN_INS): string {
  const { count, stacked, singular, plural } = kind
  const failed = stacked === undefined ? '' : ` and ${formatNumber(totalOf(days, stacked))} failed`
  const total = formatCount(totalOf(days, count), singular, plural)
  return `${total}${failed} in the last ${days.length} days. ${busiest(days, kind)}`.trimEnd()
}

function busiest(days: readonly Daily[], { count, singular, plural }: ChartKind): string {
  const top = days.reduce((best, day) => (day[count] > best[count] ? day : best))
  return top[count] === 0
    ? ''
    : `Busiest day: ${labelOf(top.day)}, with ${formatCount(top[count], singular, plural)}.`
}

function titleOf(day: Daily, kind: ChartKind): string {
  const failed = stackedOf(day, kind)
  const events = formatCount(day[kind.count], kind.singular, kind.plural)
  return `${labelOf(day.day)}: ${events}${failed > 0 ? `, ${formatNumber(failed)} failed` : ''}`
}

const labelOf = (day: string): string => shortDay(Date.parse(day))
