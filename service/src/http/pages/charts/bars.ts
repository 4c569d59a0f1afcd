import type { Daily } from '../../../domain/events/daily.ts'
import { monthLimitReachedAt } from '../../../domain/limits/usage-forecast.ts'
import { dayInWords } from '../../../domain/time.ts'
import type { AccountUsage } from '../../../operations/events/insights.ts'
import { type Html, html } from '../markup.ts'
import { displayText, formatNumber } from '../text.ts'
import { timestampInText } from '../time.ts'
import type { ChartKind } from './chart-kinds.ts'

export interface Frame {
  readonly top: number
  readonly height: number
  /** The count at the top of the frame. */
  readonly ceiling: number
}

/** Keeps a single sign-in visible in a busy month. */
const MIN_HEIGHT = 3
const GAP = 1
const SHARE_OF_SLOT = 0.72

/** Horizontal positions are percentages: bars shrink with the page, labels keep their size. */
export const slot = (
  index: number,
  count: number,
): { readonly left: string; readonly middle: string } => ({
  left: percent((index / count) * 100),
  middle: percent(((index + 0.5) / count) * 100),
})

const percent = (share: number): string => `${Number(share.toFixed(3))}%`

/** The events of a kind, with failed ones stacked on them; nothing for a day without either. */
export function dayBar(
  day: Daily,
  kind: ChartKind,
  index: number,
  count: number,
  { top, height, ceiling }: Frame,
): Html {
  const heightOf = (value: number): number =>
    value > 0 ? Math.max(MIN_HEIGHT, (value / ceiling) * height) : 0
  const failed = Math.min(heightOf(stackedOf(day, kind)), height)
  const main = Math.min(heightOf(day[kind.count]), height - failed)
  const bottom = top + height
  const gap = main > 0 ? GAP : 0
  const bar = (name: string, y: number, barHeight: number): Html =>
    html`<rect class="${name}" x="${percent(((index + (1 - SHARE_OF_SLOT) / 2) / count) * 100)}" width="${percent((SHARE_OF_SLOT / count) * 100)}" y="${pixels(y)}" height="${pixels(barHeight)}"/>`

  return html`${main > 0 && bar(kind.count === 'failures' ? 'failed' : 'signed-in', bottom - main, main)}${
    failed > 0 && bar('failed', bottom - main - failed, failed - gap)
  }`
}

export const stackedOf = (day: Daily, { stacked }: ChartKind): number =>
  stacked === undefined ? 0 : day[stacked]

const pixels = (value: number): number => Number(value.toFixed(2))

/** The smallest round number that is not below the highest bar and whose half is an integer. */
export function roundCeiling(highest: number): number {
  let step = 1
  while (highest > 10 * step) {
    step *= 10
  }
  return (
    [2, 4, 6, 8, 10].map((factor) => factor * step).find((ceiling) => ceiling >= highest) ??
    10 * step
  )
}

export interface Usage {
  readonly label: string
  readonly used: number
  /** null: unlimited. */
  readonly limit: number | null
  /** null: it never resets. */
  readonly resetsAt: number | null
  /** When the present rate reaches the limit. */
  readonly reachedAt?: number | null
}

/** What an account uses of its limits, and when the month's is reached at the present rate. */
export const accountUsage = (usage: AccountUsage, now: number): Usage[] => [
  { label: 'Stored users', ...usage.storedUsers },
  {
    label: 'Auth events this month',
    ...usage.eventsThisMonth,
    reachedAt: monthLimitReachedAt(usage.eventsThisMonth, now),
  },
  {
    label: 'Login starts this month',
    ...usage.loginStartsThisMonth,
    reachedAt: monthLimitReachedAt(usage.loginStartsThisMonth, now),
  },
  { label: 'Auth events this minute', ...usage.eventsThisMinute },
  { label: 'Login starts this minute', ...usage.loginStartsThisMinute },
]

const WARN_FROM = 0.8
const BAR_HEIGHT = 12

/** The use of each allowance. The color repeats what the words say (WCAG 1.4.1). */
export const usageBars = (usage: readonly Usage[], now: number): Html =>
  html`<ul class="usage">${usage.map((entry) => html`<li>${usageBar(entry, now)}</li>`)}</ul>`

function usageBar({ label, used, limit, resetsAt, reachedAt = null }: Usage, now: number): Html {
  if (limit === null) {
    return head(label, `${formatNumber(used)}, no limit`)
  }
  const numbers = `${formatNumber(used)} of ${formatNumber(limit)}`
  const share = limit > 0 ? Math.min(1, Math.max(0, used / limit)) : 1
  return html`${head(label, numbers)}
    ${bar(share, `${displayText(label)}: ${numbers}`)}
    <p class="small-print">${usedShare(share)} ${formatNumber(Math.max(0, limit - used))} left${
      resetsAt !== null && html`. Resets ${timestampInText(resetsAt, now)}`
    }.${reachedAt !== null && html` <strong>At this rate the limit is reached on ${dayInWords(reachedAt)}.</strong>`}</p>`
}

const head = (label: string, numbers: string): Html =>
  html`<p class="usage-head"><span>${displayText(label)}</span> <strong>${numbers}</strong></p>`

const bar = (share: number, words: string): Html =>
  html`<svg class="meter${share >= WARN_FROM && ' warn'}" role="img" aria-label="${words}" width="100%" height="${BAR_HEIGHT}">
    <rect class="frame" width="100%" height="${BAR_HEIGHT}" rx="${BAR_HEIGHT / 2}"/><rect class="fill" width="${percent(share * 100)}" height="${BAR_HEIGHT}" rx="${BAR_HEIGHT / 2}"/>
  </svg>`

/** Rounded to the nearest percent, but never to 100% while something is left. */
function usedShare(share: number): Html {
  if (share >= 1) {
    return html`<strong>Used up.</strong>`
  }
  const used = `${Math.min(99, Math.round(share * 100))}% used.`
  return share >= WARN_FROM ? html`<strong>Running low: ${used}</strong>` : html`${used}`
}
