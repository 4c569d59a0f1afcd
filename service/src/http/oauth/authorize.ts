import { startAuthorization } from '../../operations/oauth/start-authorization.ts'
import { clientAddressKeyOf } from '../callers/client-address.ts'
import { loginBrowser, rememberLoginBrowser } from '../callers/login-browser.ts'
import { isPrefetch } from '../callers/prefetch.ts'
import type { App, HttpDependencies } from '../dependencies.ts'
import { redirectTo } from '../edge/redirect-to.ts'
import { readQuery } from '../request/query.ts'
import { authorizeProblem } from './errors.ts'
import { wrongMethod } from './open-to-all.ts'
import { consentPath } from './viewed.ts'

/** Clients that do not read the metadata try the root. */
const PATHS = ['/oauth/authorize', '/authorize']

/** `GET /oauth/authorize`: where a client sends a person. It changes nothing, and may be asked again and again. */
export function authorizeRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps
  for (const path of PATHS) {
    app.get(path, async (c) => {
      c.set('route', path)
      try {
        if (isPrefetch(c)) return c.body(null, 503)
        const started = await startAuthorization(ctx, {
          request: readQuery(c.req.url),
          browser: loginBrowser(c, ctx.baseUrl),
          addressKey: clientAddressKeyOf(deps, c),
        })
        if (started.next === 'client') return redirectTo(c, started.location)
        rememberLoginBrowser(c, ctx.baseUrl, started.browser)
        return redirectTo(c, ctx.baseUrl + consentPath(started.approvalId))
      } catch (error) {
        return authorizeProblem(deps, c, error)
      }
    })
    app.all(path, (c) => wrongMethod(c, path, ['GET']))
  }
}
