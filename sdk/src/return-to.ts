import { InvalidReturnToError } from './errors.ts'

const MAX_CHARACTERS = 1_024
const ENCODED_MAX_CHARACTERS = 3 * MAX_CHARACTERS
const CONTROL_CHARACTER = /\p{Cc}/u

/** An origin that no one can have (RFC 2606), to see whether a path stays on it. */
const PLACEHOLDER_ORIGIN = 'https://app.invalid'

/** A slash that hides from a check for `//` and is found by whoever decodes once more. Browsers drop tabs and line ends. */
const HIDDEN_SECOND_SLASH = /^\/(?:%0[9ad])*(?:[/\\]|%2f|%5c)/i

/** What keeps this from being a path inside the app, or null when nothing does. The service has the same rule. */
export function problemOfReturnTo(raw: string): string | null {
  if (raw.length > MAX_CHARACTERS) return `It is ${raw.length} characters long; at most ${MAX_CHARACTERS} are allowed.`
  if (!raw.startsWith('/')) return 'It must be a path inside your app that starts with "/", such as "/dashboard".'
  if (CONTROL_CHARACTER.test(raw) || !isWellFormed(raw))
    return 'It contains a control character or broken text. Remove it.'
  if (encodedLength(raw) > ENCODED_MAX_CHARACTERS)
    return 'It is too long once its characters outside ASCII are percent-encoded. Shorten it.'
  if (raw.includes('\\')) return 'It contains a backslash, which browsers read as "/". Use "/".'

  // `/..//evil.test` has one leading slash until its dots are resolved, so look again after a browser would have.
  const resolved = URL.canParse(raw, PLACEHOLDER_ORIGIN) ? new URL(raw, PLACEHOLDER_ORIGIN) : null
  if (resolved === null || resolved.origin !== PLACEHOLDER_ORIGIN) return LEAVES
  if (HIDDEN_SECOND_SLASH.test(raw) || HIDDEN_SECOND_SLASH.test(resolved.pathname)) return LEAVES
  return null
}

export function requireReturnTo(returnTo: string): string {
  const problem = problemOfReturnTo(returnTo)
  if (problem !== null) throw new InvalidReturnToError(`returnTo cannot be used. ${problem}`)
  return returnTo
}

/** For the `Location` header, which takes no letters outside ASCII. */
export function locationOf(path: string): string {
  const { pathname, search, hash } = new URL(requireReturnTo(path), PLACEHOLDER_ORIGIN)
  return pathname + search + hash
}

const encodedLength = (text: string): number => new URLSearchParams([['', text]]).toString().length - '='.length

/** Half a surrogate pair cannot be sent in an address. (`String.isWellFormed` is younger than some runtimes.) */
function isWellFormed(text: string): boolean {
  try {
    encodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

const LEAVES = 'It leads to another site. Give a path inside your app, with one leading "/", such as "/dashboard".'
