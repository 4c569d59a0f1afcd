import { type Html, html } from './markup.ts'

/**
 * Code that scrolls sideways by itself. It can be focused, because without a pointer there is no other way to scroll
 * it, and so it needs a name.
 */
export const codeBlock = (label: string, code: string): Html =>
  html`<pre tabindex="0" role="region" aria-label="${label}"><code>${code}</code></pre>`

/** A command: one click selects all of it. */
export const commandBlock = (label: string, command: string): Html =>
  html`<pre class="command" tabindex="0" role="region" aria-label="${label}"><code>${command}</code></pre>`
