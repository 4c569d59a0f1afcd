import { prerenderedError } from './adapters/answers.ts'
import { createGate, type Gate, type GatehouseOptions, withAdditions } from './adapters/gate.ts'
import type { User } from './types.ts'

export type { GatehouseOptions, GatehousePaths } from './adapters/gate.ts'

/** The subset of SvelteKit's `RequestEvent` that is used. */
export interface SvelteKitEvent {
  readonly request: Request
  readonly url: URL
  readonly isDataRequest: boolean
  readonly locals: object
}

/**
 * SvelteKit's `handle` hook: `/login`, `/auth/callback`, `/logout`, the session of every other request, and protected
 * paths. The user is in `event.locals.user`; declare it in `app.d.ts`. Pages that are rendered at build time have no user.
 *
 * @example
 * ```ts
 * import { createClient } from '@gatehouse/sdk'
 * import { gatehouse } from '@gatehouse/sdk/sveltekit'
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
    const { origin, pathname } = event.url
    const locals = event.locals as { user?: User | null }
    const search = searchOf(event.url)
    if (search === null || isFallback(event, gate)) {
      if (gate.isProtected(pathname)) throw prerenderedError(pathname)
      locals.user = null
      return resolve(event)
    }
    const data = event.isDataRequest ? ({ kind: 'data' } as const) : {}
    const passage = await gate.pass(event.request, { origin, path: pathname + search, ...data })
    if (passage.response !== null) return passage.response
    locals.user = passage.session.user
    return withAdditions(await resolve(event), passage)
  }
}

/** null while SvelteKit renders the page at build time: its URL has no query then, and throws. */
function searchOf(url: URL): string | null {
  try {
    return url.search
  } catch {
    return null
  }
}

/** Some adapters build a page for unknown paths. A visitor may request its name, too: without cookies there is no user. */
const isFallback = ({ request, url }: SvelteKitEvent, gate: Gate): boolean =>
  url.pathname === '/[fallback]' && !request.headers.has('cookie') && !gate.isProtected(url.pathname)
