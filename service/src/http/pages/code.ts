import { type Html, html, type Part } from './markup.ts'

/** Scrolls sideways on its own. Keyboard users scroll it by focus, and a focusable region needs a name (WCAG 2.1.1). */
export const codeBlock = (label: string, code: string | Html): Html =>
  html`<div class="code"><pre tabindex="0" role="region" aria-label="${label}"><code>${code}</code></pre></div>`

/** One click selects the whole command. */
export const commandBlock = (label: string, command: string | Html): Html =>
  html`<div class="code"><pre class="command" tabindex="0" role="region" aria-label="${label}"><code>${command}</code></pre></div>`

/** A file to copy. If `href` is given, its name links to the file as plain text. */
export const fileBlock = (name: string, href: string | null, code: string | Html, label = name): Html =>
  html`<figure class="file"><figcaption>${href === null ? name : html`<a href="${href}">${name}</a>`}</figcaption><pre tabindex="0" role="region" aria-label="${label}"><code>${code}</code></pre></figure>`

/** Sets words between backticks as code; everything else stays escaped text. */
export const inlineCode = (sentence: string): Html =>
  html`${sentence.split('`').map((text, index): Part => (index % 2 === 1 ? html`<code>${text}</code>` : text))}`
