import { withAdditions } from './adapters/additions.ts'
import { prerenderedError } from './adapters/answers.ts'
import { createGate, type GatehouseOptions } from './adapters/gate.ts'
import type { User } from './types.ts'

export type { GatehouseOptions, GatehousePaths } from './adapters/gate.ts'

const FETCH_STATE: unique symbol = Symbol.for('astro.fetchState')

/** The subset of Astro's `APIContext` that is used. */
export interface AstroContext {
  readonly request: Request
  readonly url: URL
  readonly locals: object
  readonly isPrerendered?: boolean
  /** The pattern of the page that Astro has chosen. */
  readonly routePattern?: string
  readonly [FETCH_STATE]?: { readonly manifest: { readonly base: string } }
}

/**
 * Astro's `onRequest`: `/login`, `/auth/callback`, `/logout`, the session of every other request, and protected paths. The
 * user is in `Astro.locals.user`; declare it in `env.d.ts`. Pages that are rendered at build time have no user.
 *
 * @example
 * ```ts
 * import { gatehouse } from '@gatehouse-auth/sdk/astro'
 *
 * export const onRequest = gatehouse({ home: '/notes', protect: ['/notes'] })
 * ```
 */
export function gatehouse(
  options: GatehouseOptions = {},
): (context: AstroContext, next: () => Promise<Response>) => Promise<Response> {
  const gate = createGate(options)
  return async (context, next) => {
    const { request, url, locals, isPrerendered = false } = context
    const found = locals as { user?: User | null }
    if (isPrerendered) {
      if (gate.isProtected(url.pathname)) {
        throw prerenderedError(url.pathname)
      }
      found.user = null
      return next()
    }
    const passage = await gate.pass(request, {
      origin: originOf(request, url),
      path: url.pathname + url.search,
      routed: routedBy(context),
    })
    if (passage.response !== null) {
      return passage.response
    }
    found.user = passage.session.user
    return withAdditions(await next(), passage)
  }
}

/** The pattern of the page, also below the `base` of the app: Astro serves each page with the base and without. */
function routedBy({ routePattern, [FETCH_STATE]: state }: AstroContext): readonly string[] {
  if (routePattern === undefined) {
    return []
  }
  return [routePattern, (state?.manifest.base ?? '') + routePattern]
}

/**
 * Without `security.allowedDomains` a built Astro server names every host `localhost`. The `Host` header has the one that the
 * browser shows; a forged one leads nowhere, because the service redirects to registered callbacks only.
 */
function originOf({ headers }: Request, { origin, protocol, hostname }: URL): string {
  const sent = `${protocol}//${headers.get('host')}`
  return hostname === 'localhost' && headers.has('host') && URL.canParse(sent)
    ? new URL(sent).origin
    : origin
}
