import { limitSearches } from '../../../operations/limits/limit-requests.ts'
import { requestAddressKey } from '../../callers/author.ts'
import type { App, DocsSearch, HttpDependencies, Section } from '../../dependencies.ts'
import { publicPageHeaders, setRateHeaders } from '../../headers.ts'
import { type Html, html, type Part } from '../../pages/markup.ts'
import type { Operator } from '../../pages/operator.ts'
import { displayText, formatCount } from '../../pages/text.ts'
import { docsPage, SEARCH_PATH } from './docs-page.ts'
import { QUERY_MAX_CHARACTERS, stemOf, wordsOf } from './search-index.ts'

/** Search over all pages. */
export function searchRoutes(app: App, deps: HttpDependencies, search: DocsSearch): void {
  const { ctx, operator } = deps
  app.get(SEARCH_PATH, async (c) => {
    c.set('route', SEARCH_PATH)
    const query = (c.req.query('q') ?? '').slice(0, QUERY_MAX_CHARACTERS).trim()
    const words = wordsOf(query)
    let found = words.length === 0 ? [] : search.known(words)
    if (found === undefined) {
      setRateHeaders(c, await limitSearches(ctx, requestAddressKey(deps, c)), ctx.now())
      found = await search.find(words)
    }
    publicPageHeaders(c)
    c.header('Cache-Control', 'no-store')
    c.header('X-Robots-Tag', 'noindex')
    return c.html(searchPage({ query, found, operator }))
  })
}

interface SearchPage {
  readonly query: string
  readonly found: readonly Section[]
  readonly operator: Operator
}

export const searchPage = ({ query, found, operator }: SearchPage): Html =>
  docsPage({
    operator,
    current: SEARCH_PATH,
    title: query === '' ? 'Search' : `Search: ${displayText(query)}`,
    description: 'Search the documentation.',
    headings: [],
    query: displayText(query),
    body: html`<h1>Search</h1><div id="results">${results(query, found)}</div>`,
  })

const results = (query: string, found: readonly Section[]): Html => {
  // Marked by their stems: “rotating” is found by “rotate”.
  const words = wordsOf(query).map(stemOf)
  if (words.length === 0) {
    return html`<p>Type what you look for: an error code, a field, a question in a few words.</p>`
  }
  if (found.length === 0) {
    return html`<p role="status">Nothing found. Try fewer words, or look at <a href="/docs">all pages</a>.</p>`
  }
  return html`<p class="small-print" role="status">${formatCount(found.length, 'result', 'results')}</p>
<ol class="results">${found.map(
    ({ path, page, heading, text, code }) => html`<li>
<p class="place">${page}</p>
<p class="found"><a href="${path}">${heading}</a></p>
<p>${excerpt(hasAny(text, words) || code === '' ? text : code, words)}</p>
</li>`,
  )}</ol>`
}

const hasAny = (text: string, words: readonly string[]): boolean =>
  words.some((word) => text.toLowerCase().includes(word))

const CHARACTERS = 180
const BEFORE = 50

/** The text around the first word that occurs, with every word marked. */
function excerpt(text: string, words: readonly string[]): Html {
  const lower = text.toLowerCase()
  const first = Math.min(
    ...words.map((word) => lower.indexOf(word)).filter((at) => at !== -1),
    text.length,
  )
  const from = first === text.length ? 0 : startOfWord(text, first - BEFORE)
  const shown = text.slice(from, from + CHARACTERS)
  const cut =
    from + CHARACTERS < text.length ? `${shown.slice(0, shown.lastIndexOf(' '))} …` : shown
  return html`${from > 0 && '… '}${marked(cut, words)}`
}

const startOfWord = (text: string, at: number): number => (at <= 0 ? 0 : text.indexOf(' ', at) + 1)

function marked(text: string, words: readonly string[]): Part[] {
  if (words.length === 0) {
    return [text]
  }
  // Words have letters, digits and underscores only, so none has a meaning in a regular expression.
  return text
    .split(new RegExp(`(${words.join('|')})`, 'iu'))
    .map((part, index) => (index % 2 === 1 ? html`<mark>${part}</mark>` : part))
}
