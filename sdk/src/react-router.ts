import { withAdditions } from './adapters/additions.ts'
import { createGate, type GatehouseOptions } from './adapters/gate.ts'
import { recallUser, rememberUser } from './adapters/request-user.ts'
import type { User } from './types.ts'

export type { GatehouseOptions, GatehousePaths } from './adapters/gate.ts'

/** The subset of the arguments of a middleware, a loader and an action that is used. */
export interface RouteArguments {
  readonly request: Request
  readonly context: object
  /** The pattern of the page that React Router has chosen, without the `basename` of the app. */
  readonly pattern?: string
  /** The name of `pattern` in React Router 7. */
  readonly unstable_pattern?: string
}

export interface ReactRouterGatehouse {
  /** For the root route: `export const middleware = [auth.middleware]`. */
  middleware(args: RouteArguments, next: () => Promise<Response>): Promise<Response>
  /**
   * For the routes `/login`, `/auth/callback`, `/logout` and `/auth/session`: `export const loader = auth.loader` and
   * `export const action = auth.action`. React Router refuses to build a route that exports both by destructuring.
   */
  loader(args: RouteArguments): Promise<Response>
  action(args: RouteArguments): Promise<Response>
}

/**
 * React Router (framework mode): a middleware for the root route, and a loader and an action for the four routes. The user
 * is `userOf(context)` in every loader and action. React Router 7 runs no middleware without `future: { v8_middleware: true }` in
 * react-router.config.ts: the four routes throw then.
 *
 * @example
 * ```ts
 * import { createClient } from '@gatehouse-auth/sdk'
 * import { gatehouse } from '@gatehouse-auth/sdk/react-router'
 *
 * const client = createClient({ baseUrl: 'https://login.example.com', tenantId: 'swift-fox-running-k3qd' })
 * export const auth = gatehouse({ client, protect: ['/notes'] })
 * ```
 */
export function gatehouse(options: GatehouseOptions): ReactRouterGatehouse {
  const gate = createGate(options)
  const handled = async ({ request, context }: RouteArguments): Promise<Response> => {
    // Without middleware users could sign in, and the pages in `protect` would be open.
    if (!runsMiddleware(context)) {
      throw new Error(NO_MIDDLEWARE)
    }
    const { response } = await gate.pass(request, viewOf(request))
    return response ?? new Response(null, { status: 404 })
  }
  return {
    async middleware(args, next) {
      const { request, context } = args
      const view = viewOf(request)
      // Their loader and action respond. A middleware that did too would consume a login twice.
      if (gate.ownPath(view.path.split('?')[0] ?? '') !== null) {
        return next()
      }
      const passage = await gate.pass(request, { ...view, routed: routedBy(args) })
      if (passage.response !== null) {
        return passage.response
      }
      rememberUser(context, passage.session.user)
      return withAdditions(await next(), passage)
    },
    loader: handled,
    action: handled,
  }
}

const routedBy = ({ pattern, unstable_pattern }: RouteArguments): readonly string[] =>
  [pattern, unstable_pattern].map((each = '') => `/${each}`)

const NO_MIDDLEWARE =
  'React Router 7 ignores the middleware that guards your pages. Set future: { v8_middleware: true } in react-router.config.ts, with React Router 7.9 or newer.'

/** With middleware the context is a `RouterContextProvider`. Without, it is an object of the server, usually an empty one. */
const runsMiddleware = (context: object): boolean =>
  typeof (context as { readonly get?: unknown } | undefined)?.get === 'function'

/** React Router's own script requests `/notes.data`, and follows a redirect to another origin by a page load. */
function viewOf({ url }: Request): { readonly path: string; readonly kind?: 'page' } {
  const { pathname, searchParams } = new URL(url)
  const isData = pathname.endsWith('.data')
  searchParams.delete('_routes')
  const search = searchParams.size === 0 ? '' : `?${searchParams}`
  if (!isData) {
    return { path: pathname + new URL(url).search }
  }
  const path = pathname.slice(0, -'.data'.length).replace(/^\/_root$|\/_$/, '/')
  return { path: path + search, kind: 'page' }
}

/**
 * The signed-in user of a request that passed the middleware, or null.
 *
 * @example
 * ```ts
 * import { userOf } from '@gatehouse-auth/sdk/react-router'
 *
 * export const loader = ({ context }: { context: object }) => ({ email: userOf(context)?.email })
 * ```
 */
export const userOf = (context: object): User | null => recallUser(context)
