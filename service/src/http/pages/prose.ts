import { type Html, html, type Part } from './markup.ts'

/** A sentence whose `backticked` words are set as code. Anything else in it stays plain, escaped text. */
export const prose = (sentence: string): Html =>
  html`${sentence.split('`').map((text, index): Part => (index % 2 === 1 ? html`<code>${text}</code>` : text))}`
