import { ME_PATH } from '../../domain/me/person.ts'
import { returnFromProvider } from '../../operations/login/return-from-provider.ts'
import { accountCookie, setAccountCookie } from '../callers/account-session.ts'
import { loginBrowserCookie } from '../callers/login-browser-cookie.ts'
import { meCookie, setMeCookie } from '../callers/me-session.ts'
import type { App, HttpDependencies } from '../dependencies.ts'
import { pageProblem } from '../responses.ts'
import { redirectTo } from './redirect-to.ts'

const PATH = '/auth/google/callback'

/** The redirect URI registered with Google: one for all tenants and for account sign-ins. */
export function callbackRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps
  app.get(PATH, async (c) => {
    c.set('route', PATH)
    try {
      // Prevents Host header injection: the URL is built from the configured base URL, not from the request's host.
      const currentUrl = new URL(PATH + new URL(c.req.url).search, ctx.baseUrl)
      const returned = await returnFromProvider(ctx, {
        currentUrl,
        browser: loginBrowserCookie(c, ctx.baseUrl),
        accountSession: accountCookie(c, ctx.baseUrl),
        meSession: meCookie(c, ctx.baseUrl),
      })
      switch (returned.next) {
        case 'app':
          return redirectTo(c, returned.location)
        case 'consent':
          return redirectTo(c, `${ctx.baseUrl}/auth/consent/${returned.attemptId}`)
        case 'account':
          setAccountCookie(c, ctx.baseUrl, returned.signedIn.session)
          return redirectTo(c, ctx.baseUrl + returned.signedIn.next)
        case 'me':
          setMeCookie(c, ctx.baseUrl, returned.session)
          return redirectTo(c, ctx.baseUrl + ME_PATH)
      }
    } catch (error) {
      return pageProblem(deps, c, error)
    }
  })
}
