import { headers } from 'next/headers.js'
import { NextResponse } from 'next/server.js'
import { withAdditions } from './adapters/additions.ts'
import { isNavigation } from './adapters/answers.ts'
import { createGate, type GatehouseOptions, type View } from './adapters/gate.ts'
import { forwardCookies } from './session/cookies.ts'
import type { ReadSession } from './session/session.ts'
import type { User } from './types.ts'

export type { GatehouseOptions, GatehousePaths } from './adapters/gate.ts'

export interface NextGatehouse {
  /** For `proxy.ts`: handles `/login`, `/auth/callback` and `/logout`, refreshes sessions, and guards protected paths. */
  proxy(request: Request): Promise<Response>
  /** In server components and server functions: the signed-in user, or null. Never refreshes: they cannot set cookies. */
  user(): Promise<User | null>
  /** The user and the status. `expired`: this page is outside the proxy's matcher, so its session was not refreshed. */
  session(): Promise<ReadSession>
  /** For route handlers outside the proxy's matcher: 401 without a user, and the session is refreshed. */
  route<Context>(
    handler: (
      request: Request,
      context: Context & { readonly user: User },
    ) => Response | Promise<Response>,
  ): (request: Request, context: Context) => Promise<Response>
  /** For `route.ts` of `/login`, `/auth/callback` and `/auth/session`, where the proxy's matcher leaves them out. */
  GET(request: Request): Promise<Response>
  /** For `route.ts` of `/logout`, likewise. */
  POST(request: Request): Promise<Response>
}

/**
 * Next.js (App Router): a proxy, the user in server components, and route handlers.
 *
 * @example
 * ```ts
 * import { createClient } from '@gatehouse-auth/sdk'
 * import { gatehouse } from '@gatehouse-auth/sdk/next'
 *
 * const client = () => createClient({ baseUrl: 'https://login.example.com', tenantId: 'swift-fox-running-k3qd' })
 * export const auth = gatehouse({ client, protect: ['/notes'] })
 * // proxy.ts: export const proxy = auth.proxy
 * // page.tsx: const user = await auth.user()
 * ```
 */
export function gatehouse(options: GatehouseOptions): NextGatehouse {
  const gate = createGate(options)
  const { errorPath: _, ...others } = options
  const guarded = createGate({ ...others, client: gate.client, protect: ['/'] })
  const session = async (): Promise<ReadSession> => {
    const sent = await headers()
    // Uses the address that the proxy uses, because the names of the cookies depend on it.
    return gate.client().session({ headers: sent, url: originOf(sent, 'http:', 'host.invalid') })
  }
  const handled = async (request: Request): Promise<Response> =>
    (await gate.pass(request, viewOf(request))).response ?? new Response(null, { status: 404 })

  return {
    async proxy(request) {
      const { pathname: path } = new URL(request.url)
      const passage = await gate.pass(request, viewOf(request))
      if (passage.response !== null) {
        return withAbsoluteLocation(passage.response, request.url)
      }
      // The page must see the new pair: it cannot refresh, and the old access token has expired.
      const forwarded = forwardCookies(request.headers, passage.setCookies)
      // Next.js lets this header win over that of a route handler, and has no-store itself on pages that read the user.
      const cacheControl =
        isNavigation(request) && gate.isProtected(path) ? passage.cacheControl : null
      return withAdditions(NextResponse.next({ request: { headers: forwarded } }), {
        ...passage,
        cacheControl,
      })
    },
    session,
    user: async () => (await session()).user,
    route: (handler) => async (request, context) => {
      const passage = await guarded.pass(request, { ...viewOf(request), kind: 'script' })
      if (passage.response !== null) {
        return passage.response
      }
      const { user } = passage.session
      if (user === null) {
        throw new Error('a guarded route without a user')
      }
      return withAdditions(await handler(request, { ...context, user }), passage)
    },
    GET: handled,
    POST: handled,
  }
}

/**
 * The URL of a Next.js request has the host that the server listens on. The host that the browser shows is in
 * `X-Forwarded-Host`, which Next.js sets itself if no proxy did, and trusts in its own check of server actions.
 */
function viewOf(request: Request): View {
  const { protocol, host } = new URL(request.url)
  return { origin: originOf(request.headers, protocol, host), routed: [routedBy(request)] }
}

/** Without the base path and the language: what Next.js chooses a page by. */
const routedBy = (request: Request & { readonly nextUrl?: URL }): string | undefined =>
  request.nextUrl?.pathname

function originOf(sent: Headers, protocol: string, host: string): string {
  const origin = `${protocol}//${sent.get('x-forwarded-host')?.split(',')[0]?.trim() ?? sent.get('host') ?? host}`
  return URL.canParse(origin) ? new URL(origin).origin : `${protocol}//${host}`
}

/** The proxy of Next.js accepts absolute redirect URLs only, and makes those of the same host relative again. */
function withAbsoluteLocation(response: Response, url: string): Response {
  const location = response.headers.get('location')
  if (location !== null) {
    response.headers.set('Location', new URL(location, url).href)
  }
  return response
}
