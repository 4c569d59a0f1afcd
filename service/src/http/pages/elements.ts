import { type Html, html, type Part } from './markup.ts'
import { displayText, initials } from './text.ts'

/** Scrolls sideways on its own. Keyboard users scroll it by focus, and a focusable region needs a name (WCAG 2.1.1). */
export const codeBlock = (label: string, code: string | Html): Html =>
  html`<div class="code"><pre tabindex="0" role="region" aria-label="${label}"><code>${code}</code></pre></div>`

/** One click selects the whole command. */
export const commandBlock = (label: string, command: string | Html): Html =>
  html`<div class="code"><pre class="command" tabindex="0" role="region" aria-label="${label}"><code>${command}</code></pre></div>`

/** A file to copy. If `href` is given, its name links to the file as plain text. */
export const fileBlock = (
  name: string,
  href: string | null,
  code: string | Html,
  label = name,
): Html =>
  html`<figure class="file"><figcaption>${href === null ? name : html`<a href="${href}">${name}</a>`}</figcaption><pre tabindex="0" role="region" aria-label="${label}"><code>${code}</code></pre></figure>`

/** Sets words between backticks as code; everything else stays escaped text. */
export const inlineCode = (sentence: string): Html =>
  html`${sentence.split('`').map((text, index): Part => (index % 2 === 1 ? html`<code>${text}</code>` : text))}`

export interface Person {
  readonly email: string
  readonly name: string | null
}

/** Name, email address and initials. A profile picture would be a request to another site. */
export const personRow = (person: Person): Html => html`<p class="person">
  <span class="initials" aria-hidden="true">${initials(displayText(person.name ?? '') || displayText(person.email))}</span>
  <span>${personNames(person)}</span>
</p>`

/** The name, if there is one, above the email address. */
export function personNames({ email, name }: Person): Html {
  const shownName = displayText(name ?? '')
  // <bdi>: a right-to-left name must not reorder the words around it.
  return html`${shownName && html`<strong><bdi>${shownName}</bdi></strong> `}<span class="address">${emailText(email)}</span>`
}

/**
 * Where a line is too short, it breaks at `@` and `.`, as people read an address. The longest valid one has 254 characters
 * (RFC 5321, erratum 1690).
 */
export const emailText = (email: string): Html =>
  html`<bdi>${displayText(email, 254)
    .split(/(?<=@)|(?=\.)/)
    .map((part, at): Part => [at > 0 && html`<wbr>`, part])}</bdi>`

interface Table {
  readonly caption: string
  /** The accessible name of the region, unique on the page. Defaults to the caption. */
  readonly label?: string
  readonly head: readonly Html[]
  readonly rows: readonly Html[]
  /** Shown instead of a table without rows. */
  readonly none?: string
}

/** Scrolls sideways on narrow pages. Keyboard users scroll it by focus, and a focusable region needs a name (WCAG 2.1.1). */
export const scrollTable = ({ caption, label = caption, head, rows, none }: Table): Html =>
  rows.length === 0 && none !== undefined
    ? html`<p class="none">${none}</p>`
    : html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table>
    <caption>${caption}</caption>
    <thead><tr>${head}</tr></thead>
    <tbody>${rows}</tbody>
  </table></div>`

export const heading = (text: string): Html => html`<th scope="col">${text}</th>`
export const numberHeading = (text: string): Html =>
  html`<th scope="col" class="number">${text}</th>`
/** The heading of a column of buttons, for screen readers only. */
export const hiddenHeading = (text: string): Html =>
  html`<th scope="col"><span class="unseen">${text}</span></th>`
