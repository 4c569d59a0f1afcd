import { type Html, html } from './markup.ts'
import { relativeTime } from './relative-time.ts'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

/** `15 Nov`. Days are UTC days, as the limits count them. */
export function shortDay(at: number): string {
  const date = new Date(at)
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`
}

/** `15 Nov 2026, 14:03 UTC`: without a script nobody knows the reader's own time zone. */
export function exactTime(at: number): string {
  const iso = new Date(at).toISOString()
  return `${shortDay(at)} ${new Date(at).getUTCFullYear()}, ${iso.slice(11, 16)} UTC`
}

/** How long ago or how soon, and exactly when: the words are for people, the time is for comparing with a log. */
export const moment = (at: number, now: number): Html =>
  html`<span class="moment">${relativeTime(at, now)} ${exactly(at)}</span>`

/** The same within a sentence. */
export const spokenMoment = (at: number, now: number): Html => html`${relativeTime(at, now)}, on ${exactly(at)}`

export const exactly = (at: number): Html =>
  html`<time datetime="${new Date(at).toISOString()}">${exactTime(at)}</time>`
