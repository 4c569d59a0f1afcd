import { createGate, type GatehouseOptions, withAdditions } from './adapters/gate.ts'
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
 * paths. The user is in `event.locals.user`; declare it in `app.d.ts`.
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
    const { origin, pathname, search } = event.url
    const data = event.isDataRequest ? ({ kind: 'data' } as const) : {}
    const passage = await gate.pass(event.request, { origin, path: pathname + search, ...data })
    if (passage.response !== null) return passage.response
    ;(event.locals as { user?: User | null }).user = passage.session.user
    return withAdditions(await resolve(event), passage)
  }
}
