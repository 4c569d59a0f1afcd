import { copyScript, docsStylesheet, searchScript, tryApiScript } from '../../pages/assets.ts'
import { layout, script } from '../../pages/layout.ts'
import { type Html, html } from '../../pages/markup.ts'
import type { Operator } from '../../pages/operator.ts'
import type { Heading } from './markdown.ts'
import { DOCS, type DocsPage, type DocsSection, EVERY_PAGE } from './page-list.ts'

interface Docs {
  readonly operator: Operator
  readonly title: string
  /** For search engines and link previews. */
  readonly description: string
  /** Includes the h1. */
  readonly body: Html
  /** The path of this page, which the list of pages highlights. */
  readonly current: string
  readonly headings: readonly Heading[]
  /** What the search field contains. */
  readonly query?: string
  /** Whether the API reference can send requests. */
  readonly tryApi?: boolean
}

export const SEARCH_PATH = '/docs/search'

/** A page of the documentation between the list of all pages and its own contents; on a phone both are menus above it. */
export const docsPage = ({
  title,
  description,
  body,
  current,
  headings,
  operator,
  query = '',
  tryApi,
}: Docs): Html =>
  layout({
    kind: 'docs',
    operator,
    title,
    section: current.startsWith('/docs/api') ? '/docs/api' : '/docs',
    head: html`<meta name="description" content="${description}">
<link rel="stylesheet" href="${docsStylesheet.path}">
${script(copyScript)}${script(searchScript)}${tryApi && script(tryApiScript)}`,
    body: html`<div class="docs">
      <div class="docs-side">
        ${searchForm(query)}
        <details class="menu">
          <summary>All pages</summary>
          <nav class="docs-nav" aria-label="Documentation">
            <a href="/docs"${current === '/docs' && html` aria-current="page"`}>Overview</a>
            ${DOCS.map((section) => sectionList(section, current))}
          </nav>
        </details>
      </div>
      ${headings.length > 1 && contents(headings)}
      <article class="prose">${body}${ending(current)}</article>
    </div>`,
  })

const searchForm = (
  query: string,
): Html => html`<form class="search" role="search" action="${SEARCH_PATH}">
<label class="unseen" for="search">Search the documentation</label>
<input type="search" id="search" name="q" value="${query}" placeholder="Search" autocomplete="off" maxlength="100">
<button class="quiet small">Search</button>
</form>`

const sectionList = ({ title, pages }: DocsSection, current: string): Html => html`<h2>${title}</h2>
<ul>${pages.map(
  ({ path, label, parent }) =>
    (parent === undefined || current.startsWith(parent)) &&
    html`<li${parent !== undefined && html` class="deeper"`}><a href="${path}"${path === current && html` aria-current="page"`}>${label}</a></li>`,
)}</ul>`

const contents = (headings: readonly Heading[]): Html => html`<details class="menu contents">
<summary>On this page</summary>
<nav aria-label="On this page"><ul>${headings.map(
  ({ id, words, depth }) =>
    html`<li${depth > 2 && html` class="deeper"`}><a href="#${id}">${words}</a></li>`,
)}</ul></nav>
</details>`

const READING_ORDER: readonly DocsPage[] = DOCS.flatMap(({ pages }) => pages)

/** The neighbors in reading order, and the page in other forms. */
function ending(current: string): Html | false {
  if (!EVERY_PAGE.some(({ path }) => path === current)) {
    return false
  }
  const place = READING_ORDER.findIndex(({ path }) => path === current)
  const previous = READING_ORDER[place - 1]
  const next = place === -1 ? undefined : READING_ORDER[place + 1]
  return html`<nav class="turn" aria-label="Previous and next page">
${previous && html`<a rel="prev" href="${previous.path}"><span>Previous</span> ${previous.label}</a>`}
${next && html`<a rel="next" href="${next.path}"><span>Next</span> ${next.label}</a>`}
</nav>
<p class="small-print also"><a href="${current}.md">This page as Markdown</a> · <a href="/feedback">Something unclear or wrong? Tell the operator</a></p>`
}
