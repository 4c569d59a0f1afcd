import { type Html, html, type Part } from './markup.ts'

/** Scrolls sideways on its own. Keyboard users scroll it by focus, and a focusable region needs a name (WCAG 2.1.1). */
export const codeBlock = (label: string, code: string): Html =>
  html`<pre tabindex="0" role="region" aria-label="${label}"><code>${code}</code></pre>`

/** One click selects the whole command. */
export const commandBlock = (label: string, command: string): Html =>
  html`<pre class="command" tabindex="0" role="region" aria-label="${label}"><code>${command}</code></pre>`

/** A file to copy. Its name links to the file as plain text. */
export const fileBlock = (name: string, href: string, code: string): Html =>
  html`<figure class="file"><figcaption><a href="${href}">${name}</a></figcaption>${codeBlock(name, code)}</figure>`

/** Sets words between backticks as code; everything else stays escaped text. */
export const inlineCode = (sentence: string): Html =>
  html`${sentence.split('`').map((text, index): Part => (index % 2 === 1 ? html`<code>${text}</code>` : text))}`
