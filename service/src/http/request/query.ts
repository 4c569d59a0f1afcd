import { invalidRequest } from '../../domain/api-error.ts'
import type { Call } from '../dependencies.ts'

/** A query consists of visible ASCII characters without `#` (RFC 3986, section 3.4). */
const QUERY = /^[\x21\x22\x24-\x7e]*$/

/**
 * Parses the query into an object without a prototype. Prevents parameter confusion: no parameter may be sent twice
 * (RFC 6749, section 3.1). Other bytes than a query may have are rejected, because the URL parser would encode them as
 * other text, or end the query at a `#`.
 */
export function readQuery(c: Call): Record<string, string> {
  const [, ...sent] = (c.env.incoming.url ?? '').split('?')
  if (!QUERY.test(sent.join('?'))) {
    const problem = 'Percent-encode every character outside ASCII, spaces and "#".'
    throw invalidRequest('The query of the URL contains characters that a URL may not have.', [
      { path: '', problem },
    ])
  }
  const query: Record<string, string> = Object.create(null)
  if (!c.req.url.includes('?')) {
    return query
  }
  for (const [name, value] of new URL(c.req.url).searchParams) {
    if (name in query) {
      const problem = 'Send this parameter once.'
      throw invalidRequest('A query parameter came twice.', [{ path: name, problem }])
    }
    query[name] = value
  }
  return query
}

/**
 * Parts of a path that a URL parser or a router rewrites: `.` and `..`, backslashes, and encoded letters, digits, `-`, `.`,
 * `_` and `~`, which never need encoding (RFC 3986, section 2.3).
 */
const REWRITTEN = /(?:^|\/)\.{1,2}(?:\/|$)|\\|%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/i

/**
 * Prevents path confusion with a proxy: a URL parser reads `/x/../api/status`, and a router `/%61pi/status`, as `/api/status`, but a proxy that restricts
 * `/api` by prefix may let it through. Only paths that normalization leaves unchanged are served.
 */
export const isNormalizedPath = (c: Call): boolean =>
  !REWRITTEN.test((c.env.incoming.url ?? '').split('?', 1)[0] ?? '')
