/** What is wrong with the percent-encoding of a path or query, as a sentence; null when nothing is. */
export function percentProblem(text: string): string | null {
  try {
    decodeURIComponent(text)
    return null
  } catch {
    // Servers disagree about `%zz` and about overlong forms such as `%c0%ae` (a dot to some), so neither may pass.
    return 'It has a "%" that does not start a valid UTF-8 percent-encoding. Write a literal "%" as "%25".'
  }
}

/**
 * Undoes percent-encoding of ASCII, layer after layer, until there is none left.
 *
 * Only for recognising what a later hop might make of a URL: a proxy decodes once, the app behind it again (Keycloak
 * CVE-2026-3872). Nothing is ever compared or sent in this form. It ends because every pass shortens the text.
 */
export function decodeFully(text: string): string {
  const next = text.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return next === text ? text : decodeFully(next)
}

export const hasControlCharacter = (text: string): boolean => /\p{Cc}/u.test(text)
