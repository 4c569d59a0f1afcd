import { type Html, html } from './markup.ts'

export interface Table {
  readonly caption: string
  /** Names the region around it, and is unlike any other on the page. The caption, unless told otherwise. */
  readonly label?: string
  readonly head: readonly Html[]
  readonly rows: readonly Html[]
}

/**
 * A table that scrolls sideways by itself where the page is narrow. It can be focused, because without a pointer there
 * is no other way to scroll it, and so it needs a name.
 */
export const scrollTable = ({ caption, label = caption, head, rows }: Table): Html =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table>
    <caption>${caption}</caption>
    <thead><tr>${head}</tr></thead>
    <tbody>${rows}</tbody>
  </table></div>`

export const heading = (text: string): Html => html`<th scope="col">${text}</th>`
export const numberHeading = (text: string): Html => html`<th scope="col" class="number">${text}</th>`
/** Over the buttons of each row: nothing to see, something to hear. */
export const unseenHeading = (text: string): Html => html`<th scope="col"><span class="unseen">${text}</span></th>`
