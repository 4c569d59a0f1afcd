import sections from '../../../../content/docs/pages.json' with { type: 'json' }
import { API_GROUPS, API_PATH, SCHEMAS_PATH } from './operations.ts'

/** A page of the documentation, served as HTML and as Markdown. */
export interface DocsPage {
  readonly path: string
  /** Its title in the list of pages. */
  readonly label: string
  readonly summary: string
  /** A file below service/content, or the generator of the page. */
  readonly source:
    | { readonly file: string }
    | { readonly generated: 'docs-index' | 'errors' | 'api' | 'api-schemas' | 'migrations' }
    | { readonly generated: 'api-group'; readonly tag: string }
  /** The path of the page that lists it. Other lists leave it out, unless they are on that page. */
  readonly parent?: string
}

export interface DocsSection {
  readonly title: string
  readonly pages: readonly DocsPage[]
}

const page = (path: string, file: string, label: string, summary: string): DocsPage => ({
  path,
  label,
  summary,
  source: { file },
})

const guide = (path: string, label: string, summary: string): DocsPage =>
  page(`/docs/${path}`, `docs/${path}.md`, label, summary)

const AGENTS = page(
  '/docs/agents',
  'agent-guide.md',
  'Quick start for an agent',
  'The guide on one page: create a tenant, provision it, sign users in, have it claimed.',
)

type Generated = Extract<DocsPage['source'], { generated: string }>['generated']

const generated = (
  path: string,
  label: string,
  summary: string,
  from: Exclude<Generated, 'api-group'>,
): DocsPage => ({
  path,
  label,
  summary,
  source: { generated: from },
})

const REFERENCE: DocsSection = {
  title: 'Reference',
  pages: [
    generated(
      API_PATH,
      'API',
      'Every operation of the OpenAPI document, with examples for curl and the SDK.',
      'api',
    ),
    ...API_GROUPS.map(({ path, tag, summary }): DocsPage => {
      return {
        path,
        label: tag,
        summary,
        source: { generated: 'api-group', tag },
        parent: API_PATH,
      }
    }),
    {
      ...generated(
        SCHEMAS_PATH,
        'Schemas',
        'The objects that several operations share.',
        'api-schemas',
      ),
      parent: API_PATH,
    },
    generated(
      '/docs/errors',
      'Errors',
      'Every error code: its cause, the fix, and an example.',
      'errors',
    ),
    guide(
      'versioning',
      'Versioning',
      'What may change, what may not, and how changes are announced.',
    ),
    generated(
      '/docs/migrations',
      'Migrations',
      'What to use instead of each retired endpoint.',
      'migrations',
    ),
  ],
}

/** In reading order, which the navigation, the sitemap and llms-full.txt follow. */
export const DOCS: readonly DocsSection[] = sections.flatMap(({ title, pages }) => {
  const guides = pages.map(([path = '', label = '', summary = '']) => guide(path, label, summary))
  if (title === 'Start') {
    return [{ title, pages: [...guides, AGENTS] }]
  }
  return title === 'Operating' ? [REFERENCE, { title, pages: guides }] : [{ title, pages: guides }]
})

/** The `Link` target of every response of the retired MCP endpoint. */
export const MCP_MANAGE_MIGRATION_PATH = '/docs/migrations/mcp-manage'

/** The targets of `Link: rel="deprecation"` in the responses of retired endpoints. */
export const MIGRATIONS: readonly DocsPage[] = [
  guide('migrations/mcp-manage', 'From /mcp/manage to /mcp', 'The MCP server is one endpoint now.'),
]

const DOCS_INDEX = generated('/docs', 'Documentation', 'All pages, in reading order.', 'docs-index')

const REFERENCE_PAGES: readonly DocsPage[] = [
  page('/offerings', 'offerings.md', 'Offerings', 'What you can provision.'),
  page(
    '/offerings/social-login',
    'offerings/social-login.md',
    'Social login',
    'Sign in with Google, for any app.',
  ),
  page('/developers', 'developers.md', 'Developers', 'All links for developers.'),
]

export const EVERY_PAGE: readonly DocsPage[] = [
  DOCS_INDEX,
  ...DOCS.flatMap(({ pages }) => pages),
  ...MIGRATIONS,
  ...REFERENCE_PAGES,
]
