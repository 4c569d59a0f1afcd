import { html as template } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'

export type Html = HtmlEscapedString

/** Text is escaped and markup is kept; null, undefined and false print nothing. */
export type Part = string | number | Html | null | undefined | false | readonly Part[]

/**
 * hono's `html` with narrower types. hono's returns a promise when a part is one and prints any object; these types
 * exclude both, so a page is a synchronous function from data to markup.
 */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html => template(strings, ...parts) as Html
