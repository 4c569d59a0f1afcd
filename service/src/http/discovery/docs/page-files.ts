import type { App, HttpDependencies } from '../../dependencies.ts'
import { notFound } from '../not-found.ts'
import { memoize, PLAIN_TEXT, type Published, publish, published } from '../publish.ts'
import { readContent } from './content.ts'
import { EVERY_PAGE } from './page-list.ts'

const MAX_AGE_SECONDS = 300

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
    return Array.from(blocks, ([, name, code = '']) => [`${path}/${name}`, published(code, PLAIN_TEXT)])
  })
