import { type GatehouseError, RateLimitedError, UnavailableError } from '../service/errors.ts'
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

/** 503 for a session that cannot be checked now. It is never a sign-out: the cookies stay. */
export function unavailableAnswer(request: Pick<RequestLike, 'headers'>, error: GatehouseError): Response {
  const isBusy = error instanceof UnavailableError || error instanceof RateLimitedError
  const headers: Record<string, string> = isBusy ? { 'Retry-After': String(error.retryAfterSeconds ?? 5) } : {}
  const message = 'Your session cannot be checked right now. You are still signed in. Please try again in a moment.'
  if (!isNavigation(request)) return problem(503, { code: error.code, message, retryable: error.retryable }, headers)
  return new Response(message, {
    status: 503,
    headers: { ...headers, 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  })
}

function problem(status: number, error: object, headers: Record<string, string> = {}): Response {
  return Response.json({ error }, { status, headers: { ...headers, 'Cache-Control': 'no-store' } })
}
