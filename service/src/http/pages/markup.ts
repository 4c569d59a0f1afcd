import { html as template } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'

export type Html = HtmlEscapedString

/** Text is escaped, markup is kept, and nothing is printed for what is absent. */
export type Part = string | number | Html | null | undefined | false | readonly Part[]

/**
 * hono's `html`, narrowed. Theirs answers with a promise when it is given one and prints any object it meets; these
 * types let neither in, so a page is a plain function from data to markup.
 */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html => template(strings, ...parts) as Html
