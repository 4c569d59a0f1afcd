import type { App, HttpDependencies } from '../dependencies.ts'
import { HTML, publish, published } from '../discovery/publish.ts'
import { publicPageHeaders } from '../headers.ts'
import { PRIVACY_PATH } from '../pages/operator.ts'
import { privacyPage } from './privacy-page.ts'

const MINUTES_5 = 300

/** The generated page, or a redirect to the operator's own. */
export function privacyRoutes(app: App, { operator, ctx }: HttpDependencies): void {
  const generated = published(String(privacyPage(operator, ctx.providers.sharedNames())), HTML)
  app.get(PRIVACY_PATH, (c) => {
    c.set('route', PRIVACY_PATH)
    if (operator.privacyUrl !== PRIVACY_PATH) return c.redirect(operator.privacyUrl, 302)
    publicPageHeaders(c)
    return publish(c, generated, MINUTES_5)
  })
}
