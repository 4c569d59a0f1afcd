import type { Call } from '../dependencies.ts'

/** What a URL parser would take out or put in: `.` and `..` in any spelling, and backslashes. */
const REWRITTEN = /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)|\\/i

/**
 * Was the path asked for as it is read? To a URL parser `/x/../api/status` is `/api/status`; to a proxy that guards
 * `/api` by its name it is something else, and it would let it through. No client of ours writes that.
 */
export const isNormalizedPath = (c: Call): boolean => !REWRITTEN.test((c.env.incoming.url ?? '').split('?', 1)[0] ?? '')
