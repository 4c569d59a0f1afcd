import { readContent, withAbsoluteLinks } from './docs/content.ts'
import { markdownOf } from './docs/docs.ts'
import { DOCS, EVERY_PAGE, MIGRATIONS } from './docs/page-list.ts'

/** The format of llmstxt.org: a title, a summary, text without headings, lists of links. */
export const llmsText = (baseUrl: string): string =>
  withAbsoluteLinks(readContent('llms.md', baseUrl), baseUrl)

/** All pages in one file, in reading order. */
export async function llmsFullText(baseUrl: string, development: boolean): Promise<string> {
  const pages = [...DOCS.flatMap(({ pages }) => pages), ...MIGRATIONS]
  const texts = await Promise.all(
    pages.map(
      async (page) =>
        `<!-- ${baseUrl}${page.path} -->\n\n${(await markdownOf(page, baseUrl, development)).trim()}`,
    ),
  )
  return withAbsoluteLinks(
    [llmsText(baseUrl).trim(), ...texts].join('\n\n---\n\n'),
    baseUrl,
  ).concat('\n')
}

export function sitemap(baseUrl: string): string {
  const paths = [
    '/',
    ...EVERY_PAGE.map(({ path }) => path),
    '/auth.md',
    '/llms.txt',
    '/llms-full.txt',
    '/openapi.json',
  ]
  const urls = paths.map((path) => `<url><loc>${baseUrl}${path}</loc></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('\n')}
</urlset>
`
}

const VALID_MONTHS = 6

/** RFC 9116. `Expires` is the first day of a month, so the text and its ETag stay the same for weeks. */
export function securityText(baseUrl: string, now: number): string {
  const today = new Date(now)
  const expires = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + VALID_MONTHS, 1))
  return readContent('security.txt', baseUrl).replace('{expires}', expires.toISOString())
}
