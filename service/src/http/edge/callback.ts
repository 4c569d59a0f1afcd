import { returnFromProvider } from '../../operations/login/return-from-provider.ts'
import { accountSecret, rememberAccount } from '../callers/account-session.ts'
import { loginBrowser } from '../callers/login-browser.ts'
import type { App, Surface } from '../dependencies.ts'
import { pageProblem } from '../respond.ts'
import { landOn } from './redirect-to.ts'

const PATH = '/auth/google/callback'

/** Where Google returns to: the one address registered there, for every tenant and for accounts. */
export function callbackRoutes(app: App, surface: Surface): void {
  const { ctx } = surface
  app.get(PATH, async (c) => {
    c.set('route', PATH)
    try {
      // Rebuilt on our own address: what the Host header says is the caller's word, not ours.
      const currentUrl = new URL(PATH + new URL(c.req.url).search, ctx.baseUrl)
      const returned = await returnFromProvider(ctx, {
        currentUrl,
        browser: loginBrowser(c, ctx.baseUrl),
        accountSession: accountSecret(c, ctx.baseUrl),
      })
      switch (returned.next) {
        case 'app':
          return landOn(c, returned.location)
        case 'consent':
          return landOn(c, `${ctx.baseUrl}/auth/consent/${returned.attemptId}`)
        case 'account':
          rememberAccount(c, ctx.baseUrl, returned.signedIn.session)
          return landOn(c, ctx.baseUrl + returned.signedIn.next)
      }
    } catch (error) {
      return pageProblem(surface, c, error)
    }
  })
}
