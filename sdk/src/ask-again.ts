import { redirect } from './redirect.ts'
import type { RequestLike } from './types.ts'

/**
 * Browsers give up after some 20 redirects. 20 of these waits end before the ten seconds in which the service excuses a
 * request that comes too late.
 */
const WAIT_MS = 400

/**
 * For a `superseded` session: waits a moment and has the browser send the same request again, body included. By then
 * it has the cookies of the answer that won.
 *
 * ```ts
 * const session = await client.session(request)
 * if (session.status === 'superseded') return askAgain(request)
 * ```
 */
export async function askAgain(request: Pick<RequestLike, 'url'>): Promise<Response> {
  await new Promise((done) => setTimeout(done, WAIT_MS))
  const { pathname, search } = new URL(request.url)
  // `//other.example/` in a Location is another site.
  return redirect(pathname.replace(/^\/+/, '/') + search, [], 307)
}
