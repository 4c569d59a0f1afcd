import { layout } from '../../pages/layout.ts'
import { type Html, html } from '../../pages/markup.ts'
import type { Operator } from '../../pages/operator.ts'
import { DOCS, type DocsSection } from './page-list.ts'

export interface Docs {
  readonly operator: Operator
  readonly title: string
  /** Includes the h1. */
  readonly body: Html
  /** The path of this page, which the list of pages highlights. */
  readonly current: string
}

/** A page of the documentation, beside the list of all pages; on narrow screens the list follows it. */
export const docsPage = ({ title, body, current, operator }: Docs): Html =>
  layout({
    kind: 'docs',
    operator,
    title,
    body: html`<div class="docs">
      <article class="prose">${body}
        <p class="small-print also"><a href="${current}.md">This page as Markdown</a></p>
      </article>
      <nav class="docs-nav" aria-label="Documentation">
        <a href="/docs"${current === '/docs' && html` aria-current="page"`}>All pages</a>
        ${DOCS.map((section) => sectionList(section, current))}
      </nav>
    </div>`,
  })

const sectionList = ({ title, pages }: DocsSection, current: string): Html => html`<h2>${title}</h2>
<ul>${pages.map(
  ({ path, label }) => html`<li><a href="${path}"${path === current && html` aria-current="page"`}>${label}</a></li>`,
)}</ul>`
