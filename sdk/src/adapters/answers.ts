import type { RequestLike } from '../types.ts'

/**
 * True if the browser will show the response as a page. A script's `fetch` is not a navigation: it can neither follow a
 * redirect to the login on another origin nor show it.
 *
 * @example
 * ```ts
 * import { isNavigation } from '@gatehouse/sdk'
 *
 * const fetched = new Request('https://app.example/api/notes', { headers: { Accept: 'application/json' } })
 * console.log(isNavigation(fetched)) // false
 * ```
 */
export function isNavigation({ headers }: Pick<RequestLike, 'headers'>): boolean {
  const mode = headers.get('sec-fetch-mode')
  if (mode !== null) return mode === 'navigate'
  if (headers.get('x-requested-with') !== null) return false
  const accept = headers.get('accept') ?? ''
  return accept.includes('text/html') || !accept.includes('json')
}

/** 401 for a script: the page decides how to ask the user to sign in. */
export const signedOutAnswer = (login: string): Response =>
  problem(401, { code: 'signedOut', message: 'Sign in first.', retryable: false, login })

/** An API error of the app itself, for a script. */
export function problem(status: number, error: object, headers: Record<string, string> = {}): Response {
  return Response.json({ error }, { status, headers: { ...headers, 'Cache-Control': 'no-store' } })
}
