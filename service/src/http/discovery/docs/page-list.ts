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

const guide = (path: string, label: string, summary: string): DocsPage => ({
  path: `/docs/${path}`,
  label,
  summary,
  source: { file: `docs/${path}.md` },
})

const AGENTS: DocsPage = {
  path: '/docs/agents',
  label: 'Quick start for an agent',
  summary: 'The guide on one page: create a tenant, provision it, sign users in, have it claimed.',
  source: { file: 'agent-guide.md' },
}

/** In reading order, which the navigation, the sitemap and llms-full.txt follow. */
export const DOCS: readonly DocsSection[] = [
  {
    title: 'Start',
    pages: [
      guide('quick-start', 'Quick start', 'Add sign-in to your app: one command, then one import.'),
      guide(
        'sdk',
        'SDK and command line',
        'How to install both, and what happens to tabs, processes and lost responses.',
      ),
      AGENTS,
    ],
  },
  {
    title: 'Guides',
    pages: [
      guide('social-login', 'Social login', 'What happens between the login link and the callback.'),
      guide('callbacks', 'Callbacks and wildcards', 'Which URLs users may return to, and how they are matched.'),
      guide(
        'providers',
        'Sign-in providers',
        'GitHub, Microsoft, Apple and others, with shared clients or your own, and the steps at each.',
      ),
      guide('settings', 'Settings', 'How social login behaves for your app, and how to change it.'),
      guide('invitations', 'Invitations', 'Let people in by a link, with claims, and close a project to all others.'),
      guide('sessions', 'Sessions', 'Verify, refresh, log out, and how fast a revocation takes effect.'),
      guide('users', 'Users', 'Find, block, delete, export and import users, and end their sessions.'),
      guide('leaving', 'Moving in and leaving', 'Take your users along: from other services, and away.'),
      guide('your-data', 'Your data', 'What people can do at /me, and how owners meet removal requests.'),
      guide('brand', 'Domains and brand', 'Verify your domain, and show your name and logo on the consent page.'),
      guide('events', 'Events', 'The history of sign-ins: kinds, filters, long polling.'),
      guide('refusals', 'Why a sign-in did not work', 'What browsers were told, with the fix for each.'),
      guide('webhooks', 'Webhooks', 'Your server gets the events as they happen, signed.'),
      guide('audit', 'Audit', 'Who changed the project, what, and when.'),
      guide('tenants', 'Tenants and claims', 'Guests, owners, keys, and how to take ownership.'),
      guide('testing', 'Testing your app', 'Sign made-up users in from your tests, on a development service.'),
      guide('limits', 'Limits', 'What each tier includes, and what happens at a limit.'),
    ],
  },
  {
    title: 'Recipes',
    pages: [
      guide('recipes', 'All recipes', 'Complete small apps, their settings, and how to fetch each file.'),
      guide('recipes/node', 'Plain Node', 'With node:http and nothing else.'),
      guide('recipes/express', 'Express', 'One middleware.'),
      guide('recipes/hono', 'Hono', 'One middleware.'),
      guide('recipes/fastify', 'Fastify', 'One plugin.'),
      guide('recipes/next', 'Next.js', 'The session in proxy.ts, the user in pages.'),
      guide('recipes/sveltekit', 'SvelteKit', 'A server hook, and the user in locals.'),
      guide('recipes/react-router', 'React Router', 'A middleware, a loader and an action.'),
      guide('recipes/astro', 'Astro', 'A middleware, and the user in locals.'),
      guide('recipes/nuxt', 'Nuxt', 'A server middleware.'),
      guide('recipes/browser', 'Browser only', 'For an app without a server.'),
      guide('recipes/flask', 'Flask', 'Python: one file and a blueprint.'),
      guide('recipes/fastapi', 'FastAPI', 'Python: one file and a dependency.'),
      guide('recipes/django', 'Django', 'Python: one file and a middleware.'),
      guide('recipes/go', 'Go', 'One file for net/http.'),
      guide('recipes/php', 'PHP', 'One file to require.'),
      guide('recipes/sinatra', 'Ruby with Sinatra', 'One file to register.'),
      guide('recipes/expo', 'Expo and installed apps', 'A scheme of its own on phones, loopback on computers.'),
      guide('recipes/http', 'Without the SDK', 'The calls, in plain JavaScript.'),
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
        path: API_PATH,
        label: 'API',
        summary: 'Every operation, from the OpenAPI document, with an example for curl and for the SDK.',
        source: { generated: 'api' },
      },
      ...API_GROUPS.map(
        ({ path, tag, summary }): DocsPage => ({
          path,
          label: tag,
          summary,
          source: { generated: 'api-group', tag },
          parent: API_PATH,
        }),
      ),
      {
        path: SCHEMAS_PATH,
        label: 'Schemas',
        summary: 'The objects that several operations share.',
        source: { generated: 'api-schemas' },
        parent: API_PATH,
      },
      {
        path: '/docs/errors',
        label: 'Errors',
        summary: 'Every error code: its cause, the fix, and an example.',
        source: { generated: 'errors' },
      },
      guide('versioning', 'Versioning', 'What may change, what may not, and how changes are announced.'),
      {
        path: '/docs/migrations',
        label: 'Migrations',
        summary: 'What to use instead of each retired endpoint.',
        source: { generated: 'migrations' },
      },
    ],
  },
  {
    title: 'Operating',
    pages: [
      guide('self-hosting', 'Self-hosting', 'Settings, reverse proxy, several instances, backups, metrics.'),
      guide('security', 'Security model', 'What Gatehouse guarantees, known limits, and how to report a problem.'),
    ],
  },
]

/** The `Link` target of every response of the retired MCP endpoint. */
export const MCP_MANAGE_MIGRATION_PATH = '/docs/migrations/mcp-manage'

/** The targets of `Link: rel="deprecation"` in the responses of retired endpoints. */
export const MIGRATIONS: readonly DocsPage[] = [
  guide('migrations/mcp-manage', 'From /mcp/manage to /mcp', 'The MCP server is one endpoint now.'),
]

const DOCS_INDEX: DocsPage = {
  path: '/docs',
  label: 'Documentation',
  summary: 'All pages, in reading order.',
  source: { generated: 'docs-index' },
}

const root = (path: string, file: string, label: string, summary: string): DocsPage => ({
  path,
  label,
  summary,
  source: { file },
})

const REFERENCE_PAGES: readonly DocsPage[] = [
  root('/offerings', 'offerings.md', 'Offerings', 'What you can provision.'),
  root('/offerings/social-login', 'offerings/social-login.md', 'Social login', 'Sign in with Google, for any app.'),
  root('/developers', 'developers.md', 'Developers', 'All links for developers.'),
]

export const EVERY_PAGE: readonly DocsPage[] = [
  DOCS_INDEX,
  ...DOCS.flatMap(({ pages }) => pages),
  ...MIGRATIONS,
  ...REFERENCE_PAGES,
]
