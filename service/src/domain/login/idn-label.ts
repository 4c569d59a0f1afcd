// RFC 3492 §5, the parameters of Punycode.
const BASE = 36
const T_MIN = 1
const T_MAX = 26
const SKEW = 38
const DAMP = 700
const INITIAL_BIAS = 72
const INITIAL_CODE_POINT = 128
const LAST_CODE_POINT = 0x10ffff

/**
 * Is this lower-case `xn--` label the one spelling of some international name?
 *
 * The URL parser lets any `xn--` label through, and a browser that decodes a broken one may show, or visit, another
 * name. So the label must decode, and what it decodes to must encode back to the same label.
 */
export function isIdnLabel(label: string): boolean {
  const decoded = decodePunycode(label.slice('xn--'.length))
  return decoded !== null && URL.parse(`https://${decoded}.invalid/`)?.hostname === `${label}.invalid`
}

/** RFC 3492 §6.2. Null when the text is not Punycode. */
function decodePunycode(text: string): string | null {
  const delimiter = text.lastIndexOf('-')
  const output = delimiter > 0 ? [...text.slice(0, delimiter)].map((char) => char.charCodeAt(0)) : []
  let position = delimiter > 0 ? delimiter + 1 : 0
  let codePoint = INITIAL_CODE_POINT
  let bias = INITIAL_BIAS
  let index = 0

  while (position < text.length) {
    const before = index
    let weight = 1
    for (let k = BASE; ; k += BASE) {
      const digit = digitOf(text.charCodeAt(position++))
      if (digit === null) return null
      index += digit * weight
      // A label holds at most 59 digits; without this bound they overflow any number.
      if (index > LAST_CODE_POINT * 64) return null
      const threshold = Math.min(Math.max(k - bias, T_MIN), T_MAX)
      if (digit < threshold) break
      weight *= BASE - threshold
    }
    const length = output.length + 1
    bias = adapted(index - before, length, before === 0)
    codePoint += Math.floor(index / length)
    index %= length
    if (codePoint > LAST_CODE_POINT || (codePoint >= 0xd800 && codePoint <= 0xdfff)) return null
    output.splice(index++, 0, codePoint)
  }
  return String.fromCodePoint(...output)
}

/** RFC 3492 §6.1. */
function adapted(delta: number, length: number, first: boolean): number {
  let rest = Math.floor(delta / (first ? DAMP : 2))
  rest += Math.floor(rest / length)
  let k = 0
  for (; rest > ((BASE - T_MIN) * T_MAX) / 2; k += BASE) rest = Math.floor(rest / (BASE - T_MIN))
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW))
}

/** `a`..`z` are 0..25, `0`..`9` are 26..35; null for anything else, NaN (the end of the text) included. */
function digitOf(char: number): number | null {
  if (char >= 0x61 && char <= 0x7a) return char - 0x61
  if (char >= 0x30 && char <= 0x39) return char - 0x30 + 26
  return null
}
