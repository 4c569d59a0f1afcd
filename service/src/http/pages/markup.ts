import { raw, html as template } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'
import { readInstalled } from '../../folders.ts'

export type Html = HtmlEscapedString

/** Text is escaped and markup is kept; null, undefined and false print nothing. */
export type Part = string | number | Html | null | undefined | false | readonly Part[]

/**
 * hono's `html` with narrower types. hono's returns a promise when a part is one and prints any object; these types
 * exclude both, so a page is a synchronous function from data to markup.
 */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html =>
  template(strings, ...parts) as Html

/** Markup of ours, such as a picture: never text that a user entered. */
export const ownMarkup = (markup: string): Html => raw(markup) as Html

/** A text of service/content/pages, read once: its markup is ours and is kept, each value for a `{name}` is escaped text or markup. */
export function pageText(name: string): (values?: Readonly<Record<string, Part>>) => Html {
  const parts = readInstalled('content', `pages/${name}.tmpl`)
    .toString()
    .split(/\{(\w+)\}/)
  return (values = {}) =>
    html`${parts.map((part, index): Part => (index % 2 === 0 ? ownMarkup(part) : values[part]))}`
}
