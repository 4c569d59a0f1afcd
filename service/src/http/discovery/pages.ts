import { accepts } from 'hono/accepts'
import type { App, HttpDependencies } from '../dependencies.ts'
import { publicPageHeaders } from '../headers.ts'
import type { Readiness } from '../health.ts'
import { mark, stylesheet } from '../pages/assets.ts'
import { homePage } from './home-page.ts'
import { llmsText } from './plain-texts.ts'
import { MARKDOWN, publish, published } from './publish.ts'

const DAY_SECONDS = 86_400
const MINUTES_5 = 300

/** Links from the front page to the machine-readable descriptions (RFC 8631). */
const LINKS = [
  '</openapi.json>; rel="service-desc"; type="application/json"',
  '</docs>; rel="service-doc"; type="text/html"',
  '</llms.txt>; rel="help"; type="text/plain"',
].join(', ')

/** The front page, which is llms.txt for a client that prefers Markdown, and the assets of all pages. */
export function publicPages(app: App, { ctx, development, operator }: HttpDependencies, readiness: Readiness): void {
  const instructions = published(llmsText(ctx.baseUrl), MARKDOWN)
  app.get('/', async (c) => {
    c.set('route', '/')
    c.header('Vary', 'Accept', { append: true })
    const wanted = accepts(c, { header: 'Accept', supports: ['text/html', 'text/markdown'], default: 'text/html' })
    if (wanted === 'text/markdown') return publish(c, instructions, MINUTES_5)
    const html = homePage({ baseUrl: ctx.baseUrl, development, problems: await readiness(), operator })
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
