import { type Html, html } from '../markup.ts'
import { displayText, formatNumber } from '../text.ts'
import { timestampInText } from '../time.ts'
import { percent } from './daily-bars.ts'

export interface Usage {
  readonly label: string
  readonly used: number
  /** null: unlimited. */
  readonly limit: number | null
  /** null: it never resets. */
  readonly resetsAt: number | null
}

const WARN_FROM = 0.8
const BAR_HEIGHT = 12

/** The use of each allowance. The color repeats what the words say (WCAG 1.4.1). */
export const usageBars = (usage: readonly Usage[], now: number): Html =>
  html`<ul class="usage">${usage.map((entry) => html`<li>${usageBar(entry, now)}</li>`)}</ul>`

function usageBar({ label, used, limit, resetsAt }: Usage, now: number): Html {
  if (limit === null) return head(label, `${formatNumber(used)}, no limit`)
  const numbers = `${formatNumber(used)} of ${formatNumber(limit)}`
  const share = limit > 0 ? Math.min(1, Math.max(0, used / limit)) : 1
  return html`${head(label, numbers)}
    ${bar(share, `${displayText(label)}: ${numbers}`)}
    <p class="small-print">${usedShare(share)} ${formatNumber(Math.max(0, limit - used))} left${
      resetsAt !== null && html`. Resets ${timestampInText(resetsAt, now)}`
    }.</p>`
}

const head = (label: string, numbers: string): Html =>
  html`<p class="usage-head"><span>${displayText(label)}</span> <strong>${numbers}</strong></p>`

const bar = (share: number, words: string): Html =>
  html`<svg class="meter${share >= WARN_FROM && ' warn'}" role="img" aria-label="${words}" width="100%" height="${BAR_HEIGHT}">
    <rect class="frame" width="100%" height="${BAR_HEIGHT}" rx="${BAR_HEIGHT / 2}"/><rect class="fill" width="${percent(share * 100)}" height="${BAR_HEIGHT}" rx="${BAR_HEIGHT / 2}"/>
  </svg>`

/** Rounded to the nearest percent, but never to 100% while something is left. */
function usedShare(share: number): Html {
  if (share >= 1) return html`<strong>Used up.</strong>`
  const used = `${Math.min(99, Math.round(share * 100))}% used.`
  return share >= WARN_FROM ? html`<strong>Running low: ${used}</strong>` : html`${used}`
}
