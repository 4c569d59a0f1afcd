import { lazy } from '../../../domain/lazy.ts'
import { readInstalled } from '../../../folders.ts'
import { type Html, html, type Part } from '../../pages/markup.ts'

/** By language: token kinds, which are CSS classes, in order of precedence, as the sources of regular expressions. */
type Grammars = Readonly<Record<string, readonly (readonly [kind: string, pattern: string])[]>>

const grammars = lazy(
  () => JSON.parse(readInstalled('content', 'docs/highlight.json').toString()) as Grammars,
)

/**
 * Code with its tokens marked. A page is rendered once per process, so this costs nothing per request
 * (docs/decisions/0062-let-scripts-of-ours-add-to-the-console.md). Text of an unknown language stays as it is.
 */
export function highlight(code: string, language: string): Html {
  const grammar = grammars()[language]
  if (grammar === undefined) {
    return html`${code}`
  }
  const tokens = new RegExp(grammar.map(([, pattern]) => `(${pattern})`).join('|'), 'gm')
  const parts: Part[] = []
  let end = 0
  for (const match of code.matchAll(tokens)) {
    const kind = grammar[match.slice(1).findIndex((group) => group !== undefined)]?.[0] ?? ''
    parts.push(code.slice(end, match.index), html`<span class="hl-${kind}">${match[0]}</span>`)
    end = match.index + match[0].length
  }
  return html`${[...parts, code.slice(end)]}`
}
