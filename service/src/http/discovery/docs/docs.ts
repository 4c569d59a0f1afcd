import { accepts } from 'hono/accepts'
import type { App, Call, HttpDependencies } from '../../dependencies.ts'
import { publicPageHeaders } from '../../headers.ts'
import { memoize } from '../memoize.ts'
import { OFFERING_DATA } from '../offerings.ts'
import { HTML, MARKDOWN, type Published, publish, published } from '../publish.ts'
import { readContent, withAbsoluteLinks } from './content.ts'
import { docsPage } from './docs-page.ts'
import { type DocsPage, EVERY_PAGE } from './page-list.ts'

const MAX_AGE_SECONDS = 300
const JSON_TYPE = 'application/json; charset=utf-8'

/** Serves every page of the documentation as HTML and as Markdown, by content negotiation or by the suffix `.md`. */
export function docsRoutes(app: App, { ctx, development, operator }: HttpDependencies): void {
  for (const page of EVERY_PAGE) {
    const markdown = memoize(async () =>
      published(withAbsoluteLinks(await markdownOf(page, ctx.baseUrl, development), ctx.baseUrl), MARKDOWN),
    )
    const html = memoize(() => htmlOf(page, { baseUrl: ctx.baseUrl, development, operator }))
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

/** HTML, unless the client prefers another supported type. */
const preferred = (c: Call): string =>
  accepts(c, { header: 'Accept', supports: ['text/html', 'text/markdown', 'application/json'], default: 'text/html' })

/** The Markdown of a page, with relative links. Modules that only some pages need are loaded on first use. */
export async function markdownOf({ source }: DocsPage, baseUrl: string, development: boolean): Promise<string> {
  if ('file' in source) return readContent(source.file, baseUrl)
  const generated = await import('./generated-markdown.ts')
  switch (source.generated) {
    case 'docs-index':
      return generated.docsIndexMarkdown()
    case 'migrations':
      return generated.migrationsMarkdown()
    case 'errors':
      return (await import('./errors/errors-markdown.ts')).errorsMarkdown(baseUrl, development)
    default: {
      const { openApiDocument } = await import('../openapi/document.ts')
      const { apiGroupMarkdown, apiIndexMarkdown, apiSchemasMarkdown } = await import('./api/api-pages.ts')
      const document = openApiDocument(baseUrl, development)
      if (source.generated === 'api-group') return apiGroupMarkdown(document, source.tag)
      return source.generated === 'api' ? apiIndexMarkdown(document) : apiSchemasMarkdown(document)
    }
  }
}

async function htmlOf(
  page: DocsPage,
  { baseUrl, development, operator }: { readonly baseUrl: string } & Pick<HttpDependencies, 'development' | 'operator'>,
): Promise<Published> {
  const { renderMarkdown } = await import('./markdown.ts')
  const rendered = renderMarkdown(await markdownOf(page, baseUrl, development), page.path)
  return published(String(docsPage({ ...rendered, current: page.path, operator })), HTML)
}
