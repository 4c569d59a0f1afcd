import { API_ERRORS } from '@gatehouse/contract'
import { accepts } from 'hono/accepts'
import type { App, Call, HttpDependencies } from '../dependencies.ts'
import { publicPageHeaders } from '../headers.ts'
import { readContent, withAbsoluteLinks } from './content.ts'
import { docsPage } from './docs-page.ts'
import { errorReferencePage } from './error-reference-page.ts'
import { OFFERING_DATA } from './offerings.ts'
import { once } from './once.ts'
import { type DocsPage, EVERY_PAGE } from './page-list.ts'
import { HTML, MARKDOWN, type Published, publish, published } from './publish.ts'

const MAX_AGE_SECONDS = 300
const JSON_TYPE = 'application/json; charset=utf-8'

/** Every page of the documentation: HTML for a browser, and the Markdown it is made of for whoever prefers that. */
export function docsRoutes(app: App, { ctx }: HttpDependencies): void {
  for (const page of EVERY_PAGE) {
    const markdown = once(async () =>
      published(withAbsoluteLinks(await markdownOf(page, ctx.baseUrl), ctx.baseUrl), MARKDOWN),
    )
    const html = once(() => htmlOf(page, ctx.baseUrl))
    const data = OFFERING_DATA[page.path]
    app.get(page.path, async (c) => {
      c.set('route', page.path)
      c.header('Vary', 'Accept', { append: true })
      const wanted = preferred(c)
      if (wanted === 'text/markdown') return publish(c, await markdown(), MAX_AGE_SECONDS)
      if (wanted === 'application/json' && data !== undefined) {
        return publish(c, published(JSON.stringify(data(ctx.baseUrl), null, 2), JSON_TYPE), MAX_AGE_SECONDS)
      }
      publicPageHeaders(c)
      c.header('Link', `<${page.path}.md>; rel="alternate"; type="text/markdown"`)
      return publish(c, await html(), MAX_AGE_SECONDS)
    })
    app.get(`${page.path}/`, (c) => c.redirect(page.path, 308))
    app.get(`${page.path}.md`, async (c) => {
      c.set('route', `${page.path}.md`)
      return publish(c, await markdown(), MAX_AGE_SECONDS)
    })
  }
}

/** HTML, unless something else is named before it or instead of it. */
const preferred = (c: Call): string =>
  accepts(c, { header: 'Accept', supports: ['text/html', 'text/markdown', 'application/json'], default: 'text/html' })

/** The text of a page, with links as they are on this site. What it takes to make some of them is loaded when asked. */
export async function markdownOf({ addressKey }: DocsPage, baseUrl: string): Promise<string> {
  if ('file' in addressKey) return readContent(addressKey.file, baseUrl)
  const made = await import('./made-markdown.ts')
  switch (addressKey.made) {
    case 'docs-index':
      return made.docsIndexMarkdown()
    case 'migrations':
      return made.migrationsMarkdown()
    case 'errors':
      return made.errorsMarkdown()
    case 'api': {
      const { openApiDocument } = await import('./openapi/document.ts')
      const { apiMarkdown } = await import('./api-markdown.ts')
      return apiMarkdown(openApiDocument(baseUrl))
    }
  }
}

async function htmlOf(page: DocsPage, baseUrl: string): Promise<Published> {
  if ('made' in page.addressKey && page.addressKey.made === 'errors') return published(errorsPage(), HTML)
  const { renderMarkdown } = await import('./markdown.ts')
  const { title, body } = renderMarkdown(await markdownOf(page, baseUrl))
  return published(String(docsPage({ title, body, current: page.path })), HTML)
}

const errorsPage = (): string =>
  String(errorReferencePage({ codes: Object.entries(API_ERRORS).map(([code, entry]) => ({ code, ...entry })) }))
