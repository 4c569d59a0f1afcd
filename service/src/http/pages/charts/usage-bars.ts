import { grouped } from '../counted.ts'
import { displayText } from '../display-text.ts'
import { type Html, html } from '../markup.ts'
import { spokenMoment } from '../moment.ts'
import { percent } from './daily-bars.ts'

export interface Usage {
  readonly label: string
  readonly used: number
  /** null: there is none. */
  readonly limit: number | null
  /** null: what is used stays used. */
  readonly resetsAt: number | null
}

const WARN_FROM = 0.8
const THICKNESS = 12

/** What is used of each allowance. The colour only repeats what the words say. */
export const usageBars = (usage: readonly Usage[], now: number): Html =>
  html`<ul class="usage">${usage.map((entry) => html`<li>${usageBar(entry, now)}</li>`)}</ul>`

function usageBar({ label, used, limit, resetsAt }: Usage, now: number): Html {
  if (limit === null) return head(label, `${grouped(used)}, no limit`)
  const numbers = `${grouped(used)} of ${grouped(limit)}`
  const share = limit > 0 ? Math.min(1, Math.max(0, used / limit)) : 1
  return html`${head(label, numbers)}
    ${bar(share, `${displayText(label)}: ${numbers}`)}
    <p class="small-print">${verdict(share)} ${grouped(Math.max(0, limit - used))} left${
      resetsAt !== null && html`. Starts again ${spokenMoment(resetsAt, now)}`
    }.</p>`
}

const head = (label: string, numbers: string): Html =>
  html`<p class="usage-head"><span>${displayText(label)}</span> <strong>${numbers}</strong></p>`

const bar = (share: number, words: string): Html =>
  html`<svg class="meter${share >= WARN_FROM && ' warn'}" role="img" aria-label="${words}" width="100%" height="${THICKNESS}">
    <rect class="frame" width="100%" height="${THICKNESS}" rx="${THICKNESS / 2}"/><rect class="fill" width="${percent(share * 100)}" height="${THICKNESS}" rx="${THICKNESS / 2}"/>
  </svg>`

/** Rounded down: 100 % is said only when nothing is left. */
function verdict(share: number): Html {
  if (share >= 1) return html`<strong>Used up.</strong>`
  const said = `${Math.floor(share * 100)} % used.`
  return share >= WARN_FROM ? html`<strong>Running low: ${said}</strong>` : html`${said}`
}
