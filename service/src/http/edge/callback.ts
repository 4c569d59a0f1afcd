import { finishSignIn } from '../../operations/login/finish-sign-in.ts'
import { loginBrowser } from '../callers/login-browser.ts'
import { pageProblem } from '../respond.ts'
import type { App, Surface } from '../surface.ts'
import { landOn } from './land-on.ts'

const PATH = '/auth/google/callback'

/** Where Google returns to: the one address registered there, for every tenant. */
export function callbackRoutes(app: App, surface: Surface): void {
  const { ctx } = surface
  app.get(PATH, async (c) => {
    c.set('route', PATH)
    try {
      // Rebuilt on our own address: what the Host header says is the caller's word, not ours.
      const currentUrl = new URL(PATH + new URL(c.req.url).search, ctx.baseUrl)
      const finished = await finishSignIn(ctx, { currentUrl, browser: loginBrowser(c, ctx.baseUrl) })
      return landOn(
        c,
        finished.next === 'app' ? finished.location : `${ctx.baseUrl}/auth/consent/${finished.attemptId}`,
      )
    } catch (error) {
      return pageProblem(surface, c, error)
    }
  })
}
