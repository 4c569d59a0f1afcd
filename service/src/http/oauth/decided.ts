import { readDecision } from '../../operations/oauth/approvals.ts'
import { loginBrowserCookie } from '../callers/cookies.ts'
import { pageRoute } from '../console/form.ts'
import type { App, HttpDependencies } from '../dependencies.ts'
import { layout } from '../pages/layout.ts'
import { type Html, html } from '../pages/markup.ts'
import type { Operator } from '../pages/operator.ts'
import { clientLabel, displayText, HOST_MAX } from '../pages/text.ts'
import { page } from '../responses.ts'
import { destinationOf } from './consent.ts'
import { decidedPath } from './consent-request.ts'

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
    if (location !== null) {
      c.header('Refresh', `0; url=${location}`)
    }
    return page(
      c,
      decidedPage({
        clientName: approval.clientName,
        app: name,
        allowed,
        location,
        operator: deps.operator,
      }),
    )
  })
}

interface DecidedPage {
  readonly operator: Operator
  readonly clientName: string
  /** The scheme and host that the app's link begins with. */
  readonly app: string
  readonly allowed: boolean
  /** The link to the app; null once it can't be used anymore. */
  readonly location: string | null
}

/** After a decision about a client that is an app on this device: the browser can't tell whether the app has opened. */
const decidedPage = ({ clientName, app, allowed, location, operator }: DecidedPage): Html => {
  const name = clientLabel(clientName)
  return layout({
    kind: 'card',
    operator,
    title: allowed ? 'Access was given' : 'Access was denied',
    body: html`
      <h1>${allowed ? 'Access was given' : 'Access was denied'}</h1>
      <p>${
        allowed
          ? html`<bdi>${name}</bdi> can manage projects for you.`
          : html`<bdi>${name}</bdi> can’t manage projects for you. Nothing was changed.`
      }</p>
      ${
        location === null
          ? html`<p>The app has received the response, or its time is over. You can close this page. If the app isn’t connected, start again there.</p>`
          : html`
            <p>Your browser opens the app for links that begin with <strong>${displayText(app, HOST_MAX)}</strong>. If nothing happens, press the button. If that does nothing either, the app isn’t installed here.</p>
            <p class="actions"><a class="button" href="${location}">Open the app</a></p>
          `
      }
    `,
    footer: html`<p>You can close this page once the app has opened. You can revoke access at any time in your account.</p>`,
  })
}
