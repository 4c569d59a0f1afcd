import {
  AUTH_EVENT_KINDS,
  ENDPOINTS,
  GUEST_LIFETIME_SECONDS,
  type Tag,
  TIER_LIMITS,
} from '@gatehouse-auth/contract'
import { accepts } from 'hono/accepts'
import type { App, Call, DocsSearch, HttpDependencies } from '../../dependencies.ts'
import { publicPageHeaders } from '../../headers.ts'
import { notFound } from '../not-found.ts'
import type { OpenApi } from '../openapi/types.ts'
import {
  HTML,
  MARKDOWN,
  memoize,
  PLAIN_TEXT,
  type Published,
  publish,
  published,
} from '../publish.ts'
import { readContent, withAbsoluteLinks } from './content.ts'
import { docsPage } from './docs-page.ts'
import { operationPath } from './operations.ts'
import { DOCS, type DocsPage, EVERY_PAGE, MIGRATIONS } from './page-list.ts'

const MAX_AGE_SECONDS = 300
const JSON_TYPE = 'application/json; charset=utf-8'

/** Serves every page of the documentation as HTML and as Markdown, by content negotiation or by the suffix `.md`. */
export function docsRoutes(
  app: App,
  { ctx, development, operator }: HttpDependencies,
  search: DocsSearch,
): void {
  for (const page of EVERY_PAGE) {
    const markdown = memoize(async () =>
      published(
        withAbsoluteLinks(await markdownOf(page, ctx.baseUrl, development), ctx.baseUrl),
        MARKDOWN,
      ),
    )
    const html = memoize(() => htmlOf(page, { baseUrl: ctx.baseUrl, development, operator }))
    const data = OFFERING_DATA[page.path]
    app.get(page.path, async (c) => {
      c.set('route', page.path)
      c.header('Vary', 'Accept', { append: true })
      const wanted = preferred(c)
      if (wanted === 'text/markdown') {
        return publish(c, await markdown(), MAX_AGE_SECONDS)
      }
      if (wanted === 'application/json' && data !== undefined) {
        return publish(
          c,
          published(JSON.stringify(data(ctx.baseUrl), null, 2), JSON_TYPE),
          MAX_AGE_SECONDS,
        )
      }
      publicPageHeaders(c)
      c.header('Link', `<${page.path}.md>; rel="alternate"; type="text/markdown"`)
      const content = await html()
      // Who reads a page may search next. If it fails, the search builds the index.
      search.build().catch(() => {})
      return publish(c, content, MAX_AGE_SECONDS)
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
  accepts(c, {
    header: 'Accept',
    supports: ['text/html', 'text/markdown', 'application/json'],
    default: 'text/html',
  })

/** The Markdown of a page, with relative links. Modules that only some pages need are loaded on first use. */
export async function markdownOf(
  { source }: DocsPage,
  baseUrl: string,
  development: boolean,
  openApi?: () => OpenApi,
): Promise<string> {
  if ('file' in source) {
    return readContent(source.file, baseUrl)
  }
  switch (source.generated) {
    case 'docs-index': {
      const sections = DOCS.map(({ title, pages }) => `## ${title}\n\n${listOf(pages)}`)
      return readContent('docs/index.md', baseUrl, { pages: sections.join('\n\n') })
    }
    case 'migrations':
      return readContent('docs/migrations.md', baseUrl, { migrations: listOf(MIGRATIONS) })
    case 'errors':
      return (await import('./errors.ts')).errorsMarkdown(baseUrl, development)
    default: {
      const { openApiDocument } = await import('../openapi/document.ts')
      const { apiGroupMarkdown, apiIndexMarkdown, apiSchemasMarkdown } = await import('./api.ts')
      const document = openApi?.() ?? openApiDocument(baseUrl, development)
      if (source.generated === 'api-group') {
        return apiGroupMarkdown(document, source.tag)
      }
      return source.generated === 'api'
        ? apiIndexMarkdown(document, baseUrl)
        : apiSchemasMarkdown(document)
    }
  }
}

const listOf = (pages: readonly DocsPage[]): string =>
  pages
    .filter(({ parent }) => parent === undefined)
    .map(({ path, label, summary }) => `- [${label}](${path}): ${summary}`)
    .join('\n')

async function htmlOf(
  page: DocsPage,
  {
    baseUrl,
    development,
    operator,
  }: { readonly baseUrl: string } & Pick<HttpDependencies, 'development' | 'operator'>,
): Promise<Published> {
  const { renderMarkdown } = await import('./markdown.ts')
  const rendered = renderMarkdown(await markdownOf(page, baseUrl, development), page.path)
  const tryApi = development && 'generated' in page.source && page.source.generated === 'api-group'
  return published(String(docsPage({ ...rendered, current: page.path, operator, tryApi })), HTML)
}

const SOCIAL_LOGIN_TAGS: readonly Tag[] = ['Social login', 'Users and events', 'Sessions']

const summary = (baseUrl: string): object => JSON.parse(readContent('offering.json', baseUrl))

/** The offerings as JSON: the pages of these paths with `Accept: application/json`. */
const OFFERING_DATA: Readonly<Record<string, (baseUrl: string) => object>> = {
  '/offerings': (baseUrl) => ({
    offerings: [summary(baseUrl)],
    docs_url: `${baseUrl}/docs`,
    openapi_url: `${baseUrl}/openapi.json`,
  }),
  '/offerings/social-login': (baseUrl) => ({
    ...summary(baseUrl),
    endpoints: ENDPOINTS.filter(({ tag }) => SOCIAL_LOGIN_TAGS.includes(tag)).map(
      ({ id, method, path, auth, summary, tag }) => ({
        operation: id,
        method,
        url: `${baseUrl}${path.replace(/:([A-Za-z]+)/g, '{$1}')}`,
        auth,
        summary,
        docs_url: baseUrl + operationPath(tag, id),
      }),
    ),
    events: AUTH_EVENT_KINDS,
    guest_lifetime_seconds: GUEST_LIFETIME_SECONDS,
    limits: Object.fromEntries(
      Object.entries(TIER_LIMITS).map(([tier, limits]) => [
        tier,
        {
          stored_users: limits.storedUsers,
          events_per_minute: limits.eventsPerMinute,
          events_per_month: limits.eventsPerMonth,
          events_per_lifetime: limits.eventsPerLifetime,
        },
      ]),
    ),
    docs_url: `${baseUrl}/docs/social-login`,
    openapi_url: `${baseUrl}/openapi.json`,
  }),
}

/** Every file that a page prints, as plain text below its path: `/docs/recipes/node/server.js`. After the pages. */
export function pageFileRoutes(app: App, deps: HttpDependencies): void {
  const files = memoize(async () => new Map(filesOfPages(deps.ctx.baseUrl)))
  app.get('/docs/:file{.+}', async (c) => {
    c.set('route', '/docs/:file')
    const file = (await files()).get(c.req.path)
    return file === undefined ? notFound(deps, c) : publish(c, file, MAX_AGE_SECONDS)
  })
}

const filesOfPages = (baseUrl: string): [path: string, file: Published][] =>
  EVERY_PAGE.flatMap(({ path, source }) => {
    const markdown = 'file' in source ? readContent(source.file, baseUrl) : ''
    const blocks = markdown.matchAll(/^```\w+ file=(\S+)\n(.*?)^```$/gms)
    return Array.from(blocks, ([, name, code = '']) => [
      `${path}/${name}`,
      published(code, PLAIN_TEXT),
    ])
  })
