/** The nesting of a JSON text and the number of its values, containers included. */
export interface JsonStructure {
  readonly depth: number
  readonly values: number
}

/**
 * Counts in the text, before JSON.parse builds any object: prevents stack exhaustion by nesting, and messages whose
 * validation costs far more than sending them. Of text that isn't JSON the counts mean nothing; JSON.parse rejects it.
 */
export function structureOf(text: string): JsonStructure {
  let level = 0
  let depth = 0
  let values = 1
  let quoted = false
  /** After an opening bracket: a container that isn't empty has one value more than commas. */
  let opened = false
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (quoted) {
      if (character === BACKSLASH) at++
      else if (character === QUOTE) quoted = false
      continue
    }
    // Space, tab, carriage return and line feed.
    if (character <= 0x20) continue
    const closes = character === CLOSING_BRACKET || character === CLOSING_BRACE
    if (opened && !closes) values++
    opened = character === OPENING_BRACKET || character === OPENING_BRACE
    if (opened) depth = Math.max(depth, ++level)
    else if (closes) level--
    else if (character === COMMA) values++
    else if (character === QUOTE) quoted = true
  }
  return { depth, values }
}

const QUOTE = 0x22
const COMMA = 0x2c
const OPENING_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSING_BRACKET = 0x5d
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d
