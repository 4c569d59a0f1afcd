import { requireClientId } from '../../operations/oauth/clients.ts'
import { startAuthorization } from '../../operations/oauth/start-authorization.ts'
import { requestAddressKey } from '../callers/author.ts'
import { loginBrowserCookie, setLoginBrowserCookie } from '../callers/cookies.ts'
import { isPrefetch } from '../callers/same-origin.ts'
import type { App, HttpDependencies } from '../dependencies.ts'
import { redirectTo } from '../edge/redirect-to.ts'
import { readQuery } from '../request/query.ts'
import { oauthConsentRoutes } from './consent.ts'
import { consentPath } from './consent-request.ts'
import { methodNotAllowed } from './cors.ts'
import { decidedRoutes } from './decided.ts'
import { authorizeProblem } from './errors.ts'
import { oauthMetadataRoutes, registerRoutes } from './metadata-and-registration.ts'
import { revokeRoutes, tokenRoutes } from './token.ts'

/** The authorization server: metadata, registration, authorization, consent, tokens and revocation. */
export function oauthRoutes(app: App, deps: HttpDependencies): void {
  oauthMetadataRoutes(app, deps)
  registerRoutes(app, deps)
  authorizeRoutes(app, deps)
  oauthConsentRoutes(app, deps)
  decidedRoutes(app, deps)
  tokenRoutes(app, deps)
  revokeRoutes(app, deps)
}

/** Clients that do not read the metadata use paths at the root. */
const PATHS = ['/oauth/authorize', '/authorize']

/** `GET /oauth/authorize`, the authorization endpoint (RFC 6749, section 3.1). It only stores a pending approval. */
function authorizeRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps
  for (const path of PATHS) {
    app.get(path, async (c) => {
      c.set('route', path)
      try {
        const request = readQuery(c)
        if (isPrefetch(c)) {
          requireClientId(ctx, request.client_id)
          // As the login link: a link checker (HEAD) gets success; a prefetching browser discards the 503 and requests again.
          return c.req.method === 'HEAD'
            ? c.body(null, 204)
            : c.body(null, 503, { 'Retry-After': '1' })
        }
        const started = await startAuthorization(ctx, {
          request,
          browser: loginBrowserCookie(c, ctx.baseUrl),
          addressKey: requestAddressKey(deps, c),
        })
        if (started.next === 'client') {
          return redirectTo(c, started.location)
        }
        setLoginBrowserCookie(c, ctx.baseUrl, started.browser)
        return redirectTo(c, ctx.baseUrl + consentPath(started.approvalId))
      } catch (error) {
        return authorizeProblem(deps, c, error)
      }
    })
    app.all(path, (c) => methodNotAllowed(c, path, ['GET']))
  }
}
