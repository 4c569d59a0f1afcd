import { type Html, html, type Part } from '../markup.ts'

/** A sentence with values in it. Its own text is escaped as well, so a catalogue can't contain markup. */
export const sentence = (texts: TemplateStringsArray, ...values: Part[]): Html =>
  html`${texts.flatMap((text, at): Part[] => [text, values[at]])}`
