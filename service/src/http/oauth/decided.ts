import { readDecision } from '../../operations/oauth/approvals.ts'
import { pageRoute } from '../account/form.ts'
import { loginBrowserCookie } from '../callers/login-browser-cookie.ts'
import type { App, HttpDependencies } from '../dependencies.ts'
import { page } from '../responses.ts'
import { consentPath } from './consent-request.ts'
import { decidedPage } from './decided-page.ts'
import { destinationOf } from './render-consent.ts'

export const decidedPath = (approvalId: string): string => `${consentPath(approvalId)}/decided`

/**
 * The page after a decision about an app with a scheme of its own. It opens the app, and offers the link again: a browser
 * doesn't report that no program has registered the scheme. Pages have no script, so the Refresh header opens it.
 */
export function decidedRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps
  pageRoute(app, deps, 'GET', decidedPath(':approvalId'), async (c) => {
    const approvalId = c.req.param('approvalId') ?? ''
    const browser = loginBrowserCookie(c, ctx.baseUrl)
    const { approval, allowed, location } = await readDecision(ctx, { approvalId, browser })
    const { name } = destinationOf(approval.redirectUri)
    if (location !== null) c.header('Refresh', `0; url=${location}`)
    return page(
      c,
      decidedPage({ clientName: approval.clientName, app: name, allowed, location, operator: deps.operator }),
    )
  })
}
