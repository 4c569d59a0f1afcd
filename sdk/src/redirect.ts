/**
 * Sends the browser on, with nothing to see. 303, so that whatever the method was it becomes a plain visit; not cached;
 * and the address it came from, which may hold tokens, is told to nobody.
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
