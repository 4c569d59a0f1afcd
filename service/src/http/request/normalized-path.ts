import type { Call } from '../dependencies.ts'

/** Parts of a path that a URL parser rewrites: `.` and `..` in any encoding, and backslashes. */
const REWRITTEN = /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)|\\/i

/**
 * Prevents path confusion with a proxy: a URL parser reads `/x/../api/status` as `/api/status`, but a proxy that restricts
 * `/api` by prefix may let it through. Only paths that normalization leaves unchanged are served.
 */
export const isNormalizedPath = (c: Call): boolean => !REWRITTEN.test((c.env.incoming.url ?? '').split('?', 1)[0] ?? '')
