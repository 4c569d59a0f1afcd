import { exactFormat, relativeFormat } from './languages/formats.ts'
import { ENGLISH, type Language } from './languages/language.ts'
import { type Html, html } from './markup.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const MONTH_MS = (365.25 / 12) * DAY_MS
const YEAR_MS = 365.25 * DAY_MS

/**
 * The shortest distance that each unit is used for. Months and years begin at two: "40 days ago" is more precise than
 * "1 month ago". Half of the next smaller unit is subtracted, so that 59.6 minutes is "1 hour" and never "60 minutes".
 */
const UNITS = [
  [2 * YEAR_MS - MONTH_MS / 2, YEAR_MS, 'year'],
  [2 * MONTH_MS - DAY_MS / 2, MONTH_MS, 'month'],
  [DAY_MS - HOUR_MS / 2, DAY_MS, 'day'],
  [HOUR_MS - MINUTE_MS / 2, HOUR_MS, 'hour'],
  [MINUTE_MS, MINUTE_MS, 'minute'],
] as const

/** The clocks of two instances differ by a few seconds: a row that one has just written must not be in the future. */
const SKEW_MS = 5_000

/** `3 hours ago`, `in 2 days`: rounded to the nearest unit. */
export function relativeTime(at: number, now: number, language = ENGLISH): string {
  const { time } = language.messages
  const distance = Math.abs(at - now)
  for (const [shortest, length, unit] of UNITS) {
    if (distance >= shortest) {
      return relativeFormat(language).format(
        Math.sign(at - now) * Math.round(distance / length),
        unit,
      )
    }
  }
  return at - now > SKEW_MS ? time.withinAMinute : time.justNow
}

const MONTHS = [
  'Jan',
  'Feb',
  'Mar',
  'Apr',
  'May',
  'Jun',
  'Jul',
  'Aug',
  'Sep',
  'Oct',
  'Nov',
  'Dec',
] as const

/** `15 Nov`, of the UTC day, as limits count days. */
export function shortDay(at: number): string {
  const date = new Date(at)
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`
}

/** `15 Nov 2026, 14:03 UTC`: without a script the reader's time zone is unknown. */
export function exactTime(at: number, language = ENGLISH): string {
  if (language.tag !== 'en') {
    return exactFormat(language).format(at)
  }
  const iso = new Date(at).toISOString()
  return `${shortDay(at)} ${new Date(at).getUTCFullYear()}, ${iso.slice(11, 16)} UTC`
}

export const timeTag = (at: number, language?: Language): Html =>
  html`<time datetime="${new Date(at).toISOString()}">${exactTime(at, language)}</time>`

/** The relative time, and the exact time to compare with a log. */
export const timestamp = (at: number, now: number, language?: Language): Html =>
  html`<span class="moment">${relativeTime(at, now, language)} ${timeTag(at, language)}</span>`

/** Both times within a sentence. */
export const timestampInText = (at: number, now: number, language = ENGLISH): Html =>
  language.messages.time.both(relativeTime(at, now, language), timeTag(at, language))
