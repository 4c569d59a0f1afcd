/** What the response of the app gets besides. */
export interface Additions {
  readonly setCookies: readonly string[]
  /**
   * `no-store` for a page or data of a signed-in user, unless the app sets its own: the next user of a browser or a cache must not see
   * it. With `setCookies` it is `no-store` in any case, unless the app's own is as strict.
   */
  readonly cacheControl: 'no-store' | null
}

/**
 * Adds these headers to the response. The cookies of an ended session are removed with the redirect to the login. Returns a
 * copy only of a response whose headers cannot be changed: on Bun a copy of `new Response('text')` has no content type, and
 * browsers would download it.
 */
export function withAdditions(response: Response, additions: Additions): Response {
  try {
    addTo(response.headers, additions)
    return response
  } catch {
    const copy = new Response(response.body, response)
    addTo(copy.headers, additions)
    return copy
  }
}

function addTo(headers: Headers, { setCookies, cacheControl }: Additions): void {
  for (const line of setCookies) {
    headers.append('Set-Cookie', line)
  }
  const own = headers.get('Cache-Control')
  if (setCookies.length > 0) {
    headers.set('Cache-Control', unshared(own))
  } else if (cacheControl !== null && own === null) {
    headers.set('Cache-Control', cacheControl)
  }
}

/** The `Cache-Control` of a response with cookies of a session: a shared cache would give them to other users. */
export const unshared = (own: unknown): string =>
  /(?:^|[\s,])(?:private|no-store)(?=$|[\s,])/i.test(String(own)) ? String(own) : 'no-store'
