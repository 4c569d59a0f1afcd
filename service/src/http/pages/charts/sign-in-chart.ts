import { DAYS_SHOWN, type Day, lastDays, totalOf } from '../../account/projects/daily.ts'
import { type Html, html } from '../markup.ts'
import { heading, numberHeading, scrollTable } from '../scroll-table.ts'
import { formatCompact, formatCount, formatNumber } from '../text.ts'
import { shortDay } from '../time.ts'
import { dayBar, type Frame, roundCeiling, slot } from './daily-bars.ts'

const HEIGHT = 176
const TOP = 10
const PLOT = 140
const LABEL_GAP = 20
/** An upper bound for the width of a digit in the scale, in pixels. */
const DIGIT_WIDTH = 8

/** Sign-ins per day as bars, and a table of the exact numbers, which screen readers use too. */
export function signInChart(daily: readonly Day[], now: number, count = DAYS_SHOWN): Html {
  const days = lastDays(daily, now, count)
  const highest = Math.max(...days.map(({ logins, failures }) => logins + failures))
  return html`<figure class="chart">
    ${highest === 0 ? html`<p class="none">No sign-ins in the last ${count} days.</p>` : plot(days, roundCeiling(highest))}
    <details><summary>View as table</summary>${table(days)}</details>
  </figure>`
}

const plot = (days: readonly Day[], ceiling: number): Html => html`
  <figcaption>
    <span><span class="key">Sign-ins</span> <span class="key failed">Failed</span></span>
    <span class="busiest">${busiest(days)}</span>
  </figcaption>
  <div class="plot">${scale(ceiling)}${bars(days, { top: TOP, height: PLOT, ceiling })}</div>`

/** Beside the bars and sized in pixels: its labels must not shrink with the page. */
const scale = (ceiling: number): Html => {
  const width = Math.max(...lines(ceiling).map(([value]) => formatCompact(value).length)) * DIGIT_WIDTH
  return html`<svg class="scale" aria-hidden="true" width="${width}" height="${HEIGHT}">${lines(ceiling).map(
    ([value, y]) =>
      html`<text x="${width}" y="${y}" text-anchor="end" dominant-baseline="middle">${formatCompact(value)}</text>`,
  )}</svg>`
}

const bars = (days: readonly Day[], frame: Frame): Html =>
  html`<svg class="bars" role="img" aria-label="${summary(days)}" width="100%" height="${HEIGHT}">
    ${lines(frame.ceiling).map(([, y]) => html`<line x1="0" x2="100%" y1="${y}" y2="${y}"/>`)}
    ${days.map((day, index) => column(day, index, days.length, frame))}
    ${days.map((day, index) => dayLabel(day, index, days.length))}
  </svg>`

const lines = (ceiling: number): [value: number, y: number][] => [
  [ceiling, TOP],
  [ceiling / 2, TOP + PLOT / 2],
  [0, TOP + PLOT],
]

/** The whole column of a day shows its title on hover. */
const column = (
  day: Day,
  index: number,
  count: number,
  frame: Frame,
): Html => html`<g class="day"><title>${titleOf(day)}</title>
  <rect class="ground" x="${slot(index, count).left}" width="${slot(1, count).left}" y="${TOP}" height="${PLOT}"/>${dayBar(day, index, count, frame)}</g>`

/** Labels every seventh day back from today, of a longer or shorter period about as many; narrow pages hide every second label. */
function dayLabel({ day }: Day, index: number, count: number): Html | false {
  const back = count - 1 - index
  const step = count > 45 ? 14 : count > 10 ? 7 : 1
  if (back % step !== 0) return false
  // The first and the last label must stay inside the frame.
  const [x, anchor] =
    back === 0
      ? (['100%', 'end'] as const)
      : index < count / 10
        ? ([slot(index, count).left, 'start'] as const)
        : ([slot(index, count).middle, 'middle'] as const)
  return html`<text${back % (2 * step) !== 0 && html` class="spare"`} x="${x}" y="${TOP + PLOT + LABEL_GAP}" text-anchor="${anchor}">${labelOf(day)}</text>`
}

const table = (days: readonly Day[]): Html =>
  scrollTable({
    caption: `The last ${days.length} days, newest first (UTC)`,
    head: [heading('Day'), ...['Sign-ins', 'Failed', 'Refreshes', 'Sign-outs'].map(numberHeading)],
    rows: days
      .toReversed()
      .map(
        ({ day, logins, failures, refreshes, logouts }) =>
          html`<tr><th scope="row"><time datetime="${day}">${labelOf(day)}</time></th>${[
            logins,
            failures,
            refreshes,
            logouts,
          ].map((count) => html`<td class="number">${formatNumber(count)}</td>`)}</tr>`,
      ),
  })

/** The accessible name of the chart, and of its small form on the dashboard. */
export const summary = (days: readonly Day[]): string =>
  `${formatCount(totalOf(days, 'logins'), 'sign-in', 'sign-ins')} and ${formatNumber(totalOf(days, 'failures'))} failed in the last ${days.length} days. ${busiest(days)}`.trimEnd()

function busiest(days: readonly Day[]): string {
  const top = days.reduce((best, day) => (day.logins > best.logins ? day : best))
  return top.logins === 0
    ? ''
    : `Busiest day: ${labelOf(top.day)}, with ${formatCount(top.logins, 'sign-in', 'sign-ins')}.`
}

const titleOf = ({ day, logins, failures }: Day): string =>
  `${labelOf(day)}: ${formatCount(logins, 'sign-in', 'sign-ins')}${failures > 0 ? `, ${formatNumber(failures)} failed` : ''}`

const labelOf = (day: string): string => shortDay(Date.parse(day))
