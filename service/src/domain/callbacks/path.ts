import { decodeFully, hasControlCharacter, percentProblem } from './percent-encoding.ts'

/**
 * The problem with the path of a callback, as a sentence; null for a valid one.
 *
 * Paths are compared as a whole, so a dot segment matches nothing else. It is rejected because a proxy or server in front
 * of the app may resolve it later: `/x/..;/cb` is `/cb` to some, `/x/..;/cb` to others (Keycloak CVE-2026-3872).
 */
export function pathProblem(path: string): string | null {
  if (path.includes('*')) return 'A "*" is not allowed in the path; the path must match exactly. List each path.'
  const encoding = percentProblem(path)
  if (encoding !== null) return encoding

  const decoded = decodeFully(path)
  if (hasControlCharacter(decoded)) return 'The path contains an encoded control character. Remove it.'
  if (decoded.includes('\\'))
    return 'The path contains an encoded backslash, which some servers read as "/". Remove it.'
  if (decoded.split('/').some(isDotSegment)) {
    return 'The path contains a "." or ".." segment, plain or encoded. Write the path that it leads to.'
  }
  return null
}

/** Some servers drop a `;parameter` and surrounding spaces before they resolve the segment. */
const isDotSegment = (segment: string): boolean => /^\s*\.{1,2}\s*(;|$)/.test(segment)
