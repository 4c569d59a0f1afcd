import { createGate, type GatehouseOptions } from './adapters/gate.ts'
import {
  addHeaders,
  type NodeRequest,
  type NodeResponse,
  sendResponse,
  toRequest,
} from './adapters/node-http.ts'
import type { User } from './types.ts'

export type { GatehouseOptions, GatehousePaths } from './adapters/gate.ts'

/** The subset of the `H3Event` of Nuxt's server that is used. */
export interface NuxtEvent {
  readonly node: { readonly req: NodeRequest; readonly res: NodeResponse }
  readonly context: object
  /** What h3 chooses a route by, with the query. */
  readonly path?: string | undefined
}

/**
 * A server middleware for Nuxt: `/login`, `/auth/callback`, `/logout`, the session of every other request, and protected
 * paths. The user is `userOf(event)` in server routes, and `userOf(useRequestEvent())` where a page is rendered.
 *
 * @example
 * ```ts
 * import { gatehouse } from '@gatehouse-auth/sdk/nuxt'
 *
 * const handler = gatehouse({ home: '/notes', protect: ['/notes'] })
 * // server/middleware/gatehouse.ts: export default defineEventHandler(handler)
 * ```
 */
export function gatehouse(options: GatehouseOptions = {}): (event: NuxtEvent) => Promise<void> {
  const gate = createGate(options)
  return async ({ node: { req, res }, context, path }) => {
    const passage = await gate.pass(toRequest(req), { routed: [path?.split('?')[0]] })
    // The response is complete, and Nuxt runs no other handler.
    if (passage.response !== null) {
      return sendResponse(passage.response, res)
    }
    addHeaders(res, passage)
    Object.assign(context, { gatehouseUser: passage.session.user })
  }
}

/**
 * The signed-in user of a request that passed `gatehouse`, or null. In a browser there is no event: keep the user with
 * `useState`.
 *
 * @example
 * ```ts
 * import { userOf } from '@gatehouse-auth/sdk/nuxt'
 *
 * const event = { context: { gatehouseUser: null } }
 * console.log(userOf(event)) // null
 * // In a page: const user = useState('user', () => userOf(useRequestEvent()))
 * ```
 */
export function userOf(event: Pick<NuxtEvent, 'context'> | undefined): User | null {
  const { gatehouseUser } = (event?.context ?? { gatehouseUser: null }) as {
    readonly gatehouseUser?: User | null
  }
  if (gatehouseUser !== undefined) {
    return gatehouseUser
  }
  throw new Error('No user is known for this request. Put gatehouse() into server/middleware.')
}
