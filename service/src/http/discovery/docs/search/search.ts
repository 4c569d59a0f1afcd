import type { App, HttpDependencies } from '../../../dependencies.ts'
import { publicPageHeaders } from '../../../headers.ts'
import { memoize } from '../../memoize.ts'
import { SEARCH_PATH } from '../docs-page.ts'
import { findSections, QUERY_MAX_CHARACTERS } from './find-sections.ts'
import { buildIndex } from './search-index.ts'
import { searchPage } from './search-page.ts'

const RESULTS_MAX = 15

/** Search over all pages. The index is built at the first search and kept until the process ends. */
export function searchRoutes(app: App, { ctx, development, operator }: HttpDependencies): void {
  const index = memoize(() => buildIndex(ctx.baseUrl, development))
  app.get(SEARCH_PATH, async (c) => {
    c.set('route', SEARCH_PATH)
    const query = (c.req.query('q') ?? '').slice(0, QUERY_MAX_CHARACTERS).trim()
    const found = findSections(await index(), query, RESULTS_MAX)
    publicPageHeaders(c)
    c.header('Cache-Control', 'no-store')
    c.header('X-Robots-Tag', 'noindex')
    return c.html(searchPage({ query, found, operator }))
  })
}
