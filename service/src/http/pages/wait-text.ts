import { relativeFormat } from './languages/formats.ts'
import type { Language } from './languages/language.ts'
import { type Html, html } from './markup.ts'

const MINUTE_SECONDS = 60

/** When a limit allows the request again. The script of the page counts the seconds down and shows `data-over` at the end. */
export function waitText(seconds: number, language: Language): Html {
  const { errors } = language.messages
  const format = relativeFormat(language)
  if (seconds > 2 * MINUTE_SECONDS) {
    return html`<p>${errors.tryAgainWhen(format.format(Math.ceil(seconds / MINUTE_SECONDS), 'minute'))}</p>`
  }
  const left = html`<span data-seconds="${seconds}">${format.format(seconds, 'second')}</span>`
  return html`<p data-over="${errors.waitOver}">${errors.tryAgainWhen(left)}</p>`
}
