import type { App, HttpDependencies } from '../dependencies.ts'
import { publicPageHeaders } from '../headers.ts'
import type { Readiness } from '../health.ts'
import { mark, stylesheet } from '../pages/assets.ts'
import { homePage } from './home-page.ts'
import { publish } from './publish.ts'

const DAY_SECONDS = 86_400

/** Links from the front page to the machine-readable descriptions (RFC 8631). */
const LINKS = [
  '</openapi.json>; rel="service-desc"; type="application/json"',
  '</docs>; rel="service-doc"; type="text/html"',
  '</llms.txt>; rel="help"; type="text/plain"',
].join(', ')

/** The front page, and the assets of all pages. */
export function publicPages(app: App, { ctx, development }: HttpDependencies, readiness: Readiness): void {
  app.get('/', async (c) => {
    c.set('route', '/')
    const html = homePage({ baseUrl: ctx.baseUrl, development, problems: await readiness() })
    publicPageHeaders(c)
    // The page shows the current readiness.
    c.header('Cache-Control', 'no-store')
    c.header('Link', LINKS)
    return c.html(html)
  })

  for (const asset of [stylesheet, mark]) {
    app.get(asset.path, (c) => {
      c.set('route', '/assets')
      return publish(c, asset, DAY_SECONDS)
    })
  }
}
