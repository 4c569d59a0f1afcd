import type { App, HttpDependencies } from '../dependencies.ts'
import { acceptOf } from '../responses.ts'
import { readContent, withAbsoluteLinks } from './docs/content.ts'
import { memoize } from './memoize.ts'
import { llmsFullText, llmsText, robots, securityText, sitemap } from './plain-texts.ts'
import { MARKDOWN, PLAIN_TEXT, publish, published } from './publish.ts'
import { aiCatalog, serverCard } from './server-card.ts'

const MINUTES_5 = 300
const HOUR = 3_600
const JSON_TYPE = 'application/json; charset=utf-8'
const CARD_TYPE = 'application/mcp-server-card+json'

/** Machine-readable documents. Each is generated at the first request and cached until the process ends. */
export function documentRoutes(app: App, { ctx, development }: HttpDependencies): void {
  const { baseUrl } = ctx

  const serve = (path: string, type: string, seconds: number, make: () => string | Promise<string>): void => {
    const document = memoize(async () => published(await make(), type))
    app.get(path, async (c) => {
      c.set('route', path)
      return publish(c, await document(), seconds)
    })
  }

  serve('/openapi.json', JSON_TYPE, MINUTES_5, async () => {
    const { openApiDocument } = await import('./openapi/document.ts')
    return JSON.stringify(openApiDocument(baseUrl, development), null, 2)
  })
  serve('/auth.md', MARKDOWN, MINUTES_5, () => withAbsoluteLinks(readContent('auth.md', baseUrl), baseUrl))
  serve('/llms.txt', PLAIN_TEXT, MINUTES_5, () => llmsText(baseUrl))
  serve('/llms-full.txt', PLAIN_TEXT, MINUTES_5, () => llmsFullText(baseUrl, development))
  serve('/sitemap.xml', 'application/xml; charset=utf-8', HOUR, () => sitemap(baseUrl))
  serve('/robots.txt', PLAIN_TEXT, HOUR, () => robots(baseUrl))
  serve('/.well-known/mcp.json', JSON_TYPE, HOUR, () => JSON.stringify(serverCard(baseUrl), null, 2))
  serve('/.well-known/ai-catalog.json', JSON_TYPE, HOUR, () => JSON.stringify(aiCatalog(baseUrl), null, 2))

  const card = published(JSON.stringify(serverCard(baseUrl), null, 2), JSON_TYPE)
  app.get('/mcp/server-card', (c) => {
    c.set('route', '/mcp/server-card')
    c.header('Vary', 'Accept')
    return publish(c, acceptOf(c).includes(CARD_TYPE) ? { ...card, contentType: CARD_TYPE } : card, HOUR)
  })

  app.get('/.well-known/security.txt', (c) => {
    c.set('route', '/.well-known/security.txt')
    return publish(c, published(securityText(baseUrl, ctx.now()), PLAIN_TEXT), HOUR)
  })
}
