import type { Client } from './client.ts'
import { GatehouseError } from './errors.ts'
import { methodNotAllowed, redirect } from './redirect.ts'
import { locationOf } from './return-to.ts'
import type { RequestLike } from './types.ts'

export interface LogoutOptions {
  readonly client: Client
  /** Where the person goes afterwards. Default `/`. */
  readonly home?: string
  /** Hears why the session could not be ended at the service. The person is signed out of this browser all the same. */
  readonly onError?: (error: GatehouseError) => void
}

/**
 * Answers your `/logout`: ends the session, removes the cookies, and sends the browser home. POST only, so that no link
 * or picture signs anybody out; a post from another site brings no cookies along, and changes nothing.
 *
 * ```ts
 * app.post('/logout', (request) => handleLogout(request, { client }))
 * // <form method="post" action="/logout"><button>Sign out</button></form>
 * ```
 */
export async function handleLogout(request: RequestLike, options: LogoutOptions): Promise<Response> {
  const { client, home = '/', onError } = options
  if (request.method !== 'POST') return methodNotAllowed('POST')
  const { refreshToken } = client.cookies.read(request)
  if (refreshToken !== null) {
    try {
      await client.logout(refreshToken)
    } catch (error) {
      if (!(error instanceof GatehouseError)) throw error
      onError?.(error)
    }
  }
  return redirect(locationOf(home), client.cookies.clear(request))
}
