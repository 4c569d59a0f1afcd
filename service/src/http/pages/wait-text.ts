import { type Html, html } from './markup.ts'

const MINUTE_SECONDS = 60

/** When a limit allows the request again. The script of the page counts the seconds down and shows `data-over` at the end. */
export const waitText = (seconds: number): Html =>
  seconds <= 2 * MINUTE_SECONDS
    ? html`<p data-over="You can try again now.">Try again in <span data-seconds="${seconds}">${inUnits(seconds, 'second')}</span>.</p>`
    : html`<p>Try again in ${inUnits(Math.ceil(seconds / MINUTE_SECONDS), 'minute')}.</p>`

/** `1 second`, `42 seconds` */
const inUnits = (count: number, unit: 'second' | 'minute'): string =>
  new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(count)
