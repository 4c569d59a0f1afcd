/**
 * Whether an object in this JSON text has a name twice. `JSON.parse` keeps the last value, other parsers the first, so a
 * proxy may have checked another value. The text must be valid JSON.
 */
export function hasDuplicateName(text: string): boolean {
  /** The names of each open object; null for an array. */
  const open: (Set<string> | null)[] = []
  let at = 0
  while (at < text.length) {
    switch (text.charCodeAt(at)) {
      case OPEN_OBJECT:
        open.push(new Set())
        at += 1
        break
      case OPEN_LIST:
        open.push(null)
        at += 1
        break
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        open.pop()
        at += 1
        break
      case QUOTE: {
        const end = endOfString(text, at)
        const names = open.at(-1)
        if (names && isName(text, end) && !addName(names, text.slice(at, end))) {
          return true
        }
        at = end
        break
      }
      default:
        at += 1
    }
  }
  return false
}

/** Returns false if the name is already there. Names are decoded, because `"\u0061"` is "a". */
function addName(names: Set<string>, quoted: string): boolean {
  const name: string = JSON.parse(quoted)
  const isNew = !names.has(name)
  names.add(name)
  return isNew
}

const OPEN_OBJECT = '{'.charCodeAt(0)
const CLOSE_OBJECT = '}'.charCodeAt(0)
const OPEN_LIST = '['.charCodeAt(0)
const CLOSE_LIST = ']'.charCodeAt(0)
const QUOTE = '"'.charCodeAt(0)
const BACKSLASH = '\\'.charCodeAt(0)
const COLON = ':'.charCodeAt(0)

/** The index after the closing quote. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (text.charCodeAt(at) !== QUOTE) {
    at += text.charCodeAt(at) === BACKSLASH ? 2 : 1
  }
  return at + 1
}

function isName(text: string, end: number): boolean {
  let at = end
  while (/\s/.test(text.charAt(at))) {
    at++
  }
  return text.charCodeAt(at) === COLON
}
