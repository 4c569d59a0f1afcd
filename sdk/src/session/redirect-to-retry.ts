import { redirect } from '../login/redirect.ts'
import type { RequestLike } from '../types.ts'

/**
 * Browsers stop after about 20 redirects, so the retries span 8 seconds: less than the 10-second grace period in which
 * the service reports a spent refresh token as superseded instead of reused.
 */
const WAIT_MS = 400

/**
 * Responds to a request whose session is `superseded`: waits 400 ms, then redirects with 307, so that the browser sends
 * the same request again, body included. By then it has stored the cookies of the concurrent response.
 *
 * @example
 * ```ts
 * import { redirectToRetry } from '@gatehouse/sdk'
 *
 * const response = await redirectToRetry(new Request('https://app.example/notes?page=2'))
 * console.log(response.status, response.headers.get('location')) // 307 /notes?page=2
 * ```
 */
export async function redirectToRetry(request: Pick<RequestLike, 'url'>): Promise<Response> {
  await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
  const { pathname, search } = new URL(request.url)
  // A Location of `//other.example/` is a network-path reference to another host (RFC 3986, section 4.2).
  return redirect(pathname.replace(/^\/+/, '/') + search, [], 307)
}
