import type { Client } from './client.ts'
import { newNonce, rememberNonce, withNonce } from './login-nonce.ts'
import { redirect } from './redirect.ts'
import { problemOfReturnTo, requireReturnTo } from './return-to.ts'
import type { RequestLike } from './types.ts'

export interface StartLoginOptions {
  readonly client: Client
  /** Where the person goes after signing in. Default: `return_to` in this request's query, else `home`. */
  readonly returnTo?: string
  /** In front of a page that only the signed-in may see: come back to the very address of this request. */
  readonly returnHere?: boolean
  /** Where they go otherwise. Default `/`. */
  readonly home?: string
  /** When it is another than the client's. */
  readonly redirectUri?: string
}

/**
 * Answers your `/login`: sends the browser to sign in, and leaves a cookie by which `handleCallback` knows that this
 * very browser started it. A `return_to` that leads out of your app is not followed; `home` takes its place.
 *
 * ```ts
 * app.get('/login', (request) => startLogin(request, { client }))
 * // <a href="/login?return_to=/notes/7">Sign in</a>
 * ```
 */
export function startLogin(request: RequestLike, options: StartLoginOptions): Response {
  const { client, home = '/', redirectUri } = options
  const nonce = newNonce()
  const wanted = options.returnTo ?? (options.returnHere ? here(request) : asked(request))
  const returnTo = fitting(wanted, nonce) ?? withNonce(requireReturnTo(home), nonce)
  const location = client.loginUrl({ returnTo, ...(redirectUri === undefined ? {} : { redirectUri }) })
  return redirect(location, rememberNonce(client.cookies, request, nonce))
}

const asked = ({ url }: RequestLike): string | null => new URL(url).searchParams.get('return_to')

/** A form that was sent cannot be sent again by a visit. */
function here({ url, method }: RequestLike): string | null {
  const { pathname, search } = new URL(url)
  return method === 'GET' ? pathname + search : null
}

function fitting(wanted: string | null, nonce: string): string | null {
  if (wanted === null || problemOfReturnTo(wanted) !== null) return null
  const returnTo = withNonce(wanted, nonce)
  return problemOfReturnTo(returnTo) === null ? returnTo : null
}
