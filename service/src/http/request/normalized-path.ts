import type { Call } from '../dependencies.ts'

/**
 * Parts of a path that a URL parser or a router rewrites: `.` and `..`, backslashes, and encoded letters, digits, `-`, `.`,
 * `_` and `~`, which never need encoding (RFC 3986, section 2.3).
 */
const REWRITTEN = /(?:^|\/)\.{1,2}(?:\/|$)|\\|%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/i

/**
 * Prevents path confusion with a proxy: a URL parser reads `/x/../api/status`, and a router `/%61pi/status`, as `/api/status`, but a proxy that restricts
 * `/api` by prefix may let it through. Only paths that normalization leaves unchanged are served.
 */
export const isNormalizedPath = (c: Call): boolean => !REWRITTEN.test((c.env.incoming.url ?? '').split('?', 1)[0] ?? '')
