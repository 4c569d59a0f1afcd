import { type Html, html } from './markup.ts'

export interface Table {
  readonly caption: string
  /** The accessible name of the region, unique on the page. Defaults to the caption. */
  readonly label?: string
  readonly head: readonly Html[]
  readonly rows: readonly Html[]
}

/** Scrolls sideways on narrow pages. Keyboard users scroll it by focus, and a focusable region needs a name (WCAG 2.1.1). */
export const scrollTable = ({ caption, label = caption, head, rows }: Table): Html =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table>
    <caption>${caption}</caption>
    <thead><tr>${head}</tr></thead>
    <tbody>${rows}</tbody>
  </table></div>`

export const heading = (text: string): Html => html`<th scope="col">${text}</th>`
export const numberHeading = (text: string): Html => html`<th scope="col" class="number">${text}</th>`
/** The heading of a column of buttons, for screen readers only. */
export const hiddenHeading = (text: string): Html => html`<th scope="col"><span class="unseen">${text}</span></th>`
