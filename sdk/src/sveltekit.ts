import { withAdditions } from './adapters/additions.ts'
import { prerenderedError } from './adapters/answers.ts'
import { createGate, type Gate, type GatehouseOptions, type View } from './adapters/gate.ts'
import type { User } from './types.ts'

export type { GatehouseOptions, GatehousePaths } from './adapters/gate.ts'

/** The subset of SvelteKit's `RequestEvent` that is used. */
export interface SvelteKitEvent {
  readonly request: Request
  readonly url: URL
  readonly isDataRequest: boolean
  readonly isRemoteRequest?: boolean
  readonly locals: object
  /** The route that SvelteKit has chosen, which `reroute` can change. */
  readonly route?: { readonly id?: string | null }
}

/**
 * SvelteKit's `handle` hook: `/login`, `/auth/callback`, `/logout`, the session of every other request, and protected
 * paths. The user is in `event.locals.user`; declare it in `app.d.ts`. Pages that are rendered at build time have no user.
 *
 * @example
 * ```ts
 * import { createClient } from '@gatehouse-auth/sdk'
 * import { gatehouse } from '@gatehouse-auth/sdk/sveltekit'
 *
 * const client = createClient({ baseUrl: 'https://login.example.com', tenantId: 'swift-fox-running-k3qd' })
 * export const handle = gatehouse({ client, protect: ['/notes'] })
 * ```
 */
export function gatehouse(options: GatehouseOptions) {
  const gate = createGate(options)
  return async <Event extends SvelteKitEvent>(input: {
    event: Event
    resolve(event: Event): Response | Promise<Response>
  }): Promise<Response> => {
    const { event, resolve } = input
    // For a remote call, `event.url` is the page that the caller claims to be on.
    const url = event.isRemoteRequest ? new URL(event.request.url) : event.url
    const { origin, pathname } = url
    const locals = event.locals as { user?: User | null }
    if (isBuilding(event.url) || isFallback(event.request, url, gate)) {
      if (gate.isProtected(pathname)) {
        throw prerenderedError(pathname)
      }
      locals.user = null
      return resolve(event)
    }
    const passage = await gate.pass(event.request, {
      origin,
      path: pathname + url.search,
      routed: routedBy(event),
      ...kindOf(event),
    })
    if (passage.response !== null) {
      return passage.response
    }
    locals.user = passage.session.user
    return withAdditions(await resolve(event), passage)
  }
}

/** The path of the route, where the names of groups, such as `(app)`, are left out. A remote call has that of its page. */
const routedBy = ({ route, isRemoteRequest }: SvelteKitEvent): readonly (string | undefined)[] =>
  isRemoteRequest ? [] : [route?.id?.replaceAll(/\/\([^)]*\)/g, '')]

function kindOf({ isDataRequest, isRemoteRequest }: SvelteKitEvent): Pick<View, 'kind'> {
  if (isDataRequest) {
    return { kind: 'data' }
  }
  return isRemoteRequest ? { kind: 'script' } : {}
}

/** SvelteKit renders the page at build time: its URL has no query then, and throws. */
function isBuilding(url: URL): boolean {
  try {
    return typeof url.search !== 'string'
  } catch {
    return true
  }
}

/** Some adapters build a page for unknown paths. A visitor may request its name, too: without cookies there is no user. */
const isFallback = ({ headers }: Request, { pathname }: URL, gate: Gate): boolean =>
  pathname === '/[fallback]' && !headers.has('cookie') && !gate.isProtected(pathname)
