import { RETURN_TO_MAX_CHARACTERS } from '@gatehouse/contract'

export type ReturnToRead =
  | { readonly ok: true; readonly returnTo: string }
  | { readonly ok: false; readonly problem: string }

/** What any text of that length in plain ASCII can come to, encoded. More would not fit the address it comes back in. */
const ENCODED_MAX_CHARACTERS = 3 * RETURN_TO_MAX_CHARACTERS

const CONTROL_CHARACTER = /\p{Cc}/u

/** An origin that no one can have (RFC 2606), to see whether a path stays on it. */
const PLACEHOLDER_ORIGIN = 'https://app.invalid'

/**
 * A slash that hides from a check for `//` and is found by an app that decodes once more. Tabs and line ends may stand
 * in between, because browsers drop them.
 */
const HIDDEN_SECOND_SLASH = /^\/(?:%0[9ad])*(?:[/\\]|%2f|%5c)/i

/**
 * Where in the app the person goes after signing in. The app will navigate there, so whatever a browser would take to
 * another host is refused. What is accepted is kept exactly as given: apps compare it, and may sign it.
 */
export function readReturnTo(raw: string): ReturnToRead {
  if (raw.length > RETURN_TO_MAX_CHARACTERS) {
    return refused(`It is ${raw.length} characters long; at most ${RETURN_TO_MAX_CHARACTERS} are allowed.`)
  }
  if (encodedLength(raw) > ENCODED_MAX_CHARACTERS) {
    return refused('It is too long once its characters outside ASCII are percent-encoded. Shorten it.')
  }
  if (!raw.startsWith('/'))
    return refused('It must be a path inside your app that starts with "/", such as "/dashboard".')
  // Half a surrogate pair cannot be sent in a URL, so it could not come back as given.
  if (CONTROL_CHARACTER.test(raw) || !raw.isWellFormed()) {
    return refused('It contains a control character or broken text. Remove it.')
  }
  if (raw.includes('\\')) return refused('It contains a backslash, which browsers read as "/". Use "/".')

  // `/..//evil.test` has one leading slash until its dots are resolved, so look again after a browser would have.
  const resolved = URL.parse(raw, PLACEHOLDER_ORIGIN)
  if (resolved === null || resolved.origin !== PLACEHOLDER_ORIGIN) return refused(LEAVES)
  if (HIDDEN_SECOND_SLASH.test(raw) || HIDDEN_SECOND_SLASH.test(resolved.pathname)) return refused(LEAVES)
  return { ok: true, returnTo: raw }
}

const encodedLength = (text: string): number => new URLSearchParams([['', text]]).toString().length - '='.length

const LEAVES = 'It leads to another site. Give a path inside your app, with one leading "/", such as "/dashboard".'

const refused = (problem: string): ReturnToRead => ({ ok: false, problem })
