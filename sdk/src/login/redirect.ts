/**
 * A redirect without a body. 303 turns any method into GET; `no-store` keeps it out of caches; `no-referrer` keeps the
 * current URL, which may contain tokens, out of the `Referer` header.
 */
export function redirect(location: string, setCookies: readonly string[] = [], status: 303 | 307 = 303): Response {
  const headers = new Headers({
    Location: location,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Robots-Tag': 'noindex',
  })
  for (const line of setCookies) headers.append('Set-Cookie', line)
  return new Response(null, { status, headers })
}

export const methodNotAllowed = (allow: string): Response =>
  new Response(null, { status: 405, headers: { Allow: allow, 'Cache-Control': 'no-store' } })
