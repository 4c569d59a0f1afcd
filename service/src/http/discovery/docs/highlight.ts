import { type Html, html, type Part } from '../../pages/markup.ts'

/** Token kinds, which are CSS classes, in order of precedence, as the sources of regular expressions. */
type Grammar = readonly (readonly [kind: string, pattern: string])[]

const STRING = String.raw`"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'`
const NUMBER = String.raw`\b\d[\d_.]*\b`

const SCRIPT: Grammar = [
  ['comment', String.raw`//[^\n]*|/\*[^]*?\*/`],
  ['string', `${STRING}|\`(?:\\\\.|[^\`\\\\])*\``],
  [
    'keyword',
    String.raw`\b(?:async|await|break|case|catch|class|const|continue|default|else|export|extends|finally|for|from|function|if|import|in|instanceof|interface|let|new|null|of|return|satisfies|switch|throw|true|false|try|type|typeof|undefined|while)\b`,
  ],
  ['number', NUMBER],
  ['call', String.raw`\b[A-Za-z_]\w*(?=\()`],
]

const MARKUP: Grammar = [
  ['comment', '<!--[^]*?-->'],
  ['keyword', String.raw`</?[A-Za-z][\w:-]*|/?>`],
  ['string', STRING],
  ['property', String.raw`\b[\w:-]+(?==["{])`],
]

const GRAMMARS: Readonly<Record<string, Grammar>> = {
  js: SCRIPT,
  ts: SCRIPT,
  tsx: SCRIPT,
  svelte: [...MARKUP, ...SCRIPT.slice(2)],
  html: MARKUP,
  json: [
    ['property', String.raw`"(?:\\.|[^"\\\n])*"(?=\s*:)`],
    ['string', STRING],
    ['keyword', String.raw`\b(?:true|false|null)\b`],
    ['number', `-?${NUMBER}`],
  ],
  sh: [
    ['comment', String.raw`(?<![^\s])#[^\n]*`],
    ['string', STRING],
    ['call', String.raw`(?<=^\s*|[|;&(]\s*)[a-z][\w.-]*(?=\s|$)`],
    ['property', String.raw`\$\{?\w+\}?|(?<=\s)--?[A-Za-z][\w-]*`],
  ],
  toml: [
    ['comment', String.raw`#[^\n]*`],
    ['keyword', String.raw`^\[[^\]\n]*\]`],
    ['string', STRING],
    ['property', String.raw`^[\w.-]+(?=\s*=)`],
  ],
  http: [
    ['keyword', String.raw`^(?:GET|POST|PUT|PATCH|DELETE|HTTP/[\d.]+ \d+)\b`],
    ['property', '^[A-Za-z-]+(?=:)'],
  ],
}

/**
 * Code with its tokens marked. A page is rendered once per process, so this costs nothing per request
 * (docs/decisions/0062-let-scripts-of-ours-add-to-the-console.md). Text of an unknown language stays as it is.
 */
export function highlight(code: string, language: string): Html {
  const grammar = GRAMMARS[language]
  if (grammar === undefined) return html`${code}`
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
