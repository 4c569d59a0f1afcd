import { type Html, html } from '../../../pages/markup.ts'
import type { Operator } from '../../../pages/operator.ts'
import { displayText, formatCount } from '../../../pages/text.ts'
import { docsPage, SEARCH_PATH } from '../docs-page.ts'
import { excerpt } from './excerpt.ts'
import { wordsOf } from './find-sections.ts'
import type { IndexedSection } from './search-index.ts'

export interface SearchPage {
  readonly query: string
  readonly found: readonly IndexedSection[]
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

const results = (query: string, found: readonly IndexedSection[]): Html => {
  const words = wordsOf(query)
  if (words.length === 0) return html`<p>Type what you look for: an error code, a field, a question in a few words.</p>`
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
