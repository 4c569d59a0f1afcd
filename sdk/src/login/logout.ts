import type { Client } from '../client.ts'
import { GatehouseError } from '../service/errors.ts'
import type { RequestLike } from '../types.ts'
import { methodNotAllowed, redirect } from './redirect.ts'
import { toLocation } from './return-to.ts'

export interface LogoutOptions {
  readonly client: Client
  /** The path to redirect to after the logout. Default `/`. */
  readonly home?: string
  /** Called when the service could not end the session. The cookies are removed in any case. */
  readonly onError?: (error: GatehouseError) => void
}

/**
 * Handles your `/logout`: ends the session, removes the cookies, and redirects to `home`. POST only, so that links and
 * images cannot sign a user out; a cross-site POST carries no `SameSite=Lax` cookies and changes nothing.
 *
 * @example
 * ```ts
 * import { createClient, handleLogout } from '@gatehouse/sdk'
 *
 * const client = createClient({ baseUrl: 'https://login.example.com', tenantId: 'swift-fox-running-k3qd' })
 * // <form method="post" action="/logout"><button>Sign out</button></form>
 * const response = await handleLogout(new Request('https://app.example/logout', { method: 'POST' }), { client })
 * console.log(response.headers.get('location')) // /
 * ```
 */
export async function handleLogout(request: RequestLike, options: LogoutOptions): Promise<Response> {
  const { client, home = '/', onError } = options
  if (request.method !== 'POST') return methodNotAllowed('POST')
  const { refreshToken } = await client.storage.read(request)
  if (refreshToken !== null) {
    try {
      await client.logout(refreshToken)
    } catch (error) {
      if (!(error instanceof GatehouseError)) throw error
      onError?.(error)
    }
  }
  return redirect(toLocation(home), await client.storage.clear(request))
}
