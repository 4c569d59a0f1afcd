import { type Html, html, type Part } from '../../pages/markup.ts'

/**
 * Code with its tokens marked. A page is rendered once per process, so this costs nothing per request
 * (docs/decisions/0062-let-scripts-of-ours-add-to-the-console.md). Text of an unknown language stays as it is.
 */
export function highlight(code: string, language: string): Html {
  const grammar = GRAMMARS[language]
  if (grammar === undefined) {
    return html`${code}`
  }
  const tokens = new RegExp(grammar.map(([, { source }]) => `(${source})`).join('|'), 'gm')
  const parts: Part[] = []
  let end = 0
  for (const match of code.matchAll(tokens)) {
    const kind = grammar[match.slice(1).findIndex((group) => group !== undefined)]?.[0] ?? ''
    parts.push(code.slice(end, match.index), html`<span class="hl-${kind}">${match[0]}</span>`)
    end = match.index + match[0].length
  }
  return html`${[...parts, code.slice(end)]}`
}

/** Kinds of tokens, which are CSS classes, in order of precedence. */
type Grammar = readonly (readonly [kind: TokenKind, pattern: RegExp])[]

type TokenKind = 'call' | 'comment' | 'keyword' | 'number' | 'property' | 'string'

const STRING = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/
const JS_KEYWORD =
  /\b(?:async|await|break|case|catch|class|const|continue|default|else|export|extends|finally|for|from|function|if|import|in|instanceof|interface|let|new|null|of|return|satisfies|switch|throw|true|false|try|type|typeof|undefined|while)\b/

const JAVASCRIPT: Grammar = [
  ['comment', /\/\/[^\n]*|\/\*[\s\S]*?\*\//],
  ['string', /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/],
  ['keyword', JS_KEYWORD],
  ['number', /\b\d[\d_.]*\b/],
  ['call', /\b[A-Za-z_]\w*(?=\()/],
]

/** By the name after the fence of a code block. */
const GRAMMARS: Readonly<Record<string, Grammar>> = {
  js: JAVASCRIPT,
  ts: JAVASCRIPT,
  tsx: JAVASCRIPT,
  svelte: [
    ['comment', /<!--[\s\S]*?-->/],
    ['keyword', /<\/?[A-Za-z][\w:-]*|\/?>/],
    ['string', STRING],
    ['property', /\b[\w:-]+(?==["{])/],
    ['keyword', JS_KEYWORD],
    ['number', /\b\d[\d_.]*\b/],
    ['call', /\b[A-Za-z_]\w*(?=\()/],
  ],
  html: [
    ['comment', /<!--[\s\S]*?-->/],
    ['keyword', /<\/?[A-Za-z][\w:-]*|\/?>/],
    ['string', STRING],
    ['property', /\b[\w:-]+(?==["{])/],
  ],
  json: [
    ['property', /"(?:\\.|[^"\\\n])*"(?=\s*:)/],
    ['string', STRING],
    ['keyword', /\b(?:true|false|null)\b/],
    ['number', /-?\b\d[\d_.]*\b/],
  ],
  sh: [
    ['comment', /(?<![^\s])#[^\n]*/],
    ['string', STRING],
    ['call', /(?<=^\s*|[|;&(]\s*)[a-z][\w.-]*(?=\s|$)/],
    ['property', /\$\{?\w+\}?|(?<=\s)--?[A-Za-z][\w-]*/],
  ],
  toml: [
    ['comment', /#[^\n]*/],
    ['keyword', /^\[[^\]\n]*\]/],
    ['string', STRING],
    ['property', /^[\w.-]+(?=\s*=)/],
  ],
  http: [
    ['keyword', /^(?:GET|POST|PUT|PATCH|DELETE|HTTP\/[\d.]+ \d+)\b/],
    ['property', /^[A-Za-z-]+(?=:)/],
  ],
}
