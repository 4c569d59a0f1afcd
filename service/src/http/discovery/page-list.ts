/** A page of the documentation: the same text as HTML for people and as Markdown for agents. */
export interface DocsPage {
  readonly path: string
  /** Where the list of pages shows it, and what it is called there. */
  readonly label: string
  readonly summary: string
  /** The file below service/content, or what it is made from. */
  readonly addressKey: { readonly file: string } | { readonly made: 'docs-index' | 'errors' | 'api' | 'migrations' }
}

export interface DocsSection {
  readonly title: string
  readonly pages: readonly DocsPage[]
}

const guide = (path: string, label: string, summary: string): DocsPage => ({
  path: `/docs/${path}`,
  label,
  summary,
  addressKey: { file: `docs/${path}.md` },
})

const AGENTS: DocsPage = {
  path: '/docs/agents',
  label: 'Quick start for an agent',
  summary: 'The whole guide on one page: create a tenant, provision, sign people in, have it claimed.',
  addressKey: { file: 'agent-guide.md' },
}

/** In the order they are read. Links, the sitemap, llms.txt and llms-full.txt all follow it. */
export const DOCS: readonly DocsSection[] = [
  {
    title: 'Start',
    pages: [AGENTS, guide('quick-start', 'Quick start for a person', 'From nothing to a signed-in person, by hand.')],
  },
  {
    title: 'Guides',
    pages: [
      guide('social-login', 'Social login', 'What happens between the login link and the callback.'),
      guide('callbacks', 'Callbacks and wildcards', 'Which addresses people may return to, and how they are matched.'),
      guide('sessions', 'Sessions', 'Verify, refresh, log out; what is promised about revocation.'),
      guide('events', 'Events', 'The history of sign-ins: kinds, filters, waiting for news.'),
      guide('tenants', 'Tenants and claims', 'Guests, owners, keys, and how a person takes ownership.'),
      guide('limits', 'Limits', 'What each tier may use, and what happens at the edge of it.'),
    ],
  },
  {
    title: 'Recipes',
    pages: [
      guide('recipes', 'About the recipes', 'The callback, the check and the sign-out, in one small module.'),
      guide('recipes/node', 'Plain Node', 'With node:http and nothing else.'),
      guide('recipes/hono', 'Hono', 'A middleware and three routes.'),
      guide('recipes/express', 'Express', 'The same in Express.'),
      guide('recipes/nextjs', 'Next.js', 'Route handlers, and the check in proxy.js.'),
    ],
  },
  {
    title: 'For agents',
    pages: [
      guide('mcp', 'MCP', 'The hosted MCP server: six tools, with or without signing in.'),
      guide('oauth', 'OAuth', 'How an MCP client acts for an account: PKCE, scopes, tokens.'),
    ],
  },
  {
    title: 'Reference',
    pages: [
      {
        path: '/docs/api',
        label: 'API',
        summary: 'Every operation, from the OpenAPI description.',
        addressKey: { made: 'api' },
      },
      {
        path: '/docs/errors',
        label: 'Errors',
        summary: 'Every error code, and what to do.',
        addressKey: { made: 'errors' },
      },
      guide('versioning', 'Versioning', 'What may change, what may not, and how you hear of it.'),
      {
        path: '/docs/migrations',
        label: 'Migrations',
        summary: 'What to do instead, for each thing that was retired.',
        addressKey: { made: 'migrations' },
      },
    ],
  },
  {
    title: 'Running it',
    pages: [
      guide('self-hosting', 'Self-hosting', 'Settings, a proxy, several instances, backups, metrics.'),
      guide('security', 'Security model', 'What is promised, what is not, and how to report a problem.'),
    ],
  },
]

/** Where every answer of the retired MCP endpoint points to. */
export const MCP_MANAGE_MIGRATION_PATH = '/docs/migrations/mcp-manage'

/** Where answers of what was retired point to (`Link: rel="deprecation"`). */
export const MIGRATIONS: readonly DocsPage[] = [
  guide(
    'migrations/mcp-manage',
    'From /mcp/manage to /mcp',
    'The MCP server for managing projects is one endpoint now.',
  ),
]

const DOCS_INDEX: DocsPage = {
  path: '/docs',
  label: 'Documentation',
  summary: 'Everything, in the order it is read.',
  addressKey: { made: 'docs-index' },
}

const root = (path: string, file: string, label: string, summary: string): DocsPage => ({
  path,
  label,
  summary,
  addressKey: { file },
})

const REFERENCE_PAGES: readonly DocsPage[] = [
  root('/offerings', 'offerings.md', 'Offerings', 'What this service offers.'),
  root('/offerings/social-login', 'offerings/social-login.md', 'Social login', 'Sign in with Google, for any app.'),
  root('/developers', 'developers.md', 'Developers', 'Where everything for developers is.'),
]

export const EVERY_PAGE: readonly DocsPage[] = [
  DOCS_INDEX,
  ...DOCS.flatMap(({ pages }) => pages),
  ...MIGRATIONS,
  ...REFERENCE_PAGES,
]
