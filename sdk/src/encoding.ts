export const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** Random bytes in base64url. `crypto.randomUUID` would need a secure context: browsers lack it over plain http. */
export const randomBase64Url = (bytes: number): string =>
  toBase64Url(crypto.getRandomValues(new Uint8Array(bytes)))

/** undefined when the text is not JSON, because null is valid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The value's fields; none if it is not an object. */
export const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

/** The claims of a token, unverified: for display only. */
export function claimsOf(token: string): Readonly<Record<string, unknown>> {
  const [, payload = ''] = token.split('.')
  const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (text) =>
    text.charCodeAt(0),
  )
  return recordOf(JSON.parse(new TextDecoder().decode(bytes)))
}
