import { accepts } from 'hono/accepts'
import type { App, HttpDependencies } from '../dependencies.ts'
import { publicPageHeaders } from '../headers.ts'
import type { Readiness } from '../health.ts'
import { FAVICON, PUBLIC_ASSETS } from '../pages/assets.ts'
import { lazy } from '../pages/lazy.ts'
import { page } from '../responses.ts'
import { homePage } from './home/home-page.ts'
import { llmsText } from './plain-texts.ts'
import { HTML, MARKDOWN, publish, published } from './publish.ts'
import { STATUS_PATH, statusPage } from './status/status-page.ts'

const DAY_SECONDS = 86_400
const MINUTES_5 = 300

/** Links from the front page to the machine-readable descriptions (RFC 8631). */
const LINKS = [
  '</openapi.json>; rel="service-desc"; type="application/json"',
  '</docs>; rel="service-doc"; type="text/html"',
  `<${STATUS_PATH}>; rel="status"; type="text/html"`,
  '</llms.txt>; rel="help"; type="text/plain"',
].join(', ')

/** The front page, which is llms.txt for a client that prefers Markdown, the status, and the assets of all pages. */
export function publicPages(app: App, { ctx, development, operator }: HttpDependencies, readiness: Readiness): void {
  const instructions = lazy(() => published(llmsText(ctx.baseUrl), MARKDOWN))
  const home = lazy(() => published(String(homePage({ baseUrl: ctx.baseUrl, development, operator })), HTML))
  app.get('/', (c) => {
    c.set('route', '/')
    c.header('Vary', 'Accept', { append: true })
    const wanted = accepts(c, { header: 'Accept', supports: ['text/html', 'text/markdown'], default: 'text/html' })
    if (wanted === 'text/markdown') return publish(c, instructions(), MINUTES_5)
    publicPageHeaders(c)
    c.header('Link', LINKS)
    return publish(c, home(), MINUTES_5)
  })

  app.get(STATUS_PATH, async (c) => {
    c.set('route', STATUS_PATH)
    return page(c, statusPage({ operator, development, problems: await readiness(), now: ctx.now() }))
  })

  for (const asset of [...PUBLIC_ASSETS, FAVICON]) {
    app.get(asset.path, (c) => {
      c.set('route', '/assets')
      return publish(c, asset, DAY_SECONDS)
    })
  }
}
