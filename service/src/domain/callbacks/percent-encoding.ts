/** The problem with the percent-encoding of a path or query, as a sentence; null for a valid one. */
export function percentProblem(text: string): string | null {
  try {
    decodeURIComponent(text)
    return null
  } catch {
    // Servers disagree about `%zz` and about overlong forms such as `%c0%ae` (a dot to some), so both are rejected.
    return 'It has a "%" that does not start a valid UTF-8 percent-encoding. Write a literal "%" as "%25".'
  }
}

/**
 * Decodes percent-encoded ASCII repeatedly until none is left.
 *
 * Only to detect what later hops may decode: a proxy decodes once, the app behind it again (Keycloak CVE-2026-3872). The
 * result is never compared or sent. Terminates because every pass shortens the text.
 */
export function decodeFully(text: string): string {
  const next = text.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return next === text ? text : decodeFully(next)
}

export const hasControlCharacter = (text: string): boolean => /\p{Cc}/u.test(text)
