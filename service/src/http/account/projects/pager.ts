import { type Html, html } from '../../pages/markup.ts'

export interface Pager {
  /** What is paged, for screen readers. */
  readonly label: string
  /** null: this is the first page. */
  readonly first: string | null
  /** null: this is the last page. */
  readonly next: string | null
}

/** Links below a list. Pages follow a cursor, so there is no count of pages. */
export const pager = ({ label, first, next }: Pager): Html | false =>
  (first !== null || next !== null) &&
  html`<nav class="pager" aria-label="${label}">
    ${first !== null && html`<a class="button quiet small" href="${first}">Newest</a>`}
    ${next !== null && html`<a class="button quiet small" href="${next}" rel="next">Older</a>`}
  </nav>`
