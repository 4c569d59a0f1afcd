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

const START: DocsSection = {
  title: 'Start',
  pages: [
    guide('quick-start', 'Quick start', 'Add sign-in to your app: one command, then one import.'),
    guide(
      'sdk',
      'SDK and command line',
      'How to install both, and what happens to tabs, processes and lost responses.',
    ),
    guide(
      'compare',
      'Compare',
      'What ten other services have, what we have, and what we refuse on purpose.',
    ),
    AGENTS,
  ],
}

const GUIDES: DocsSection = {
  title: 'Guides',
  pages: [
    guide('social-login', 'Social login', 'What happens between the login link and the callback.'),
    guide(
      'callbacks',
      'Callbacks and wildcards',
      'Which URLs users may return to, and how they are matched.',
    ),
    guide(
      'providers',
      'Sign-in providers',
      'GitHub, Microsoft, Apple and others, with shared clients or your own, and the steps at each.',
    ),
    guide('settings', 'Settings', 'How social login behaves for your app, and how to change it.'),
    guide(
      'invitations',
      'Invitations',
      'Let people in by a link, with claims, and close a project to all others.',
    ),
    guide(
      'sessions',
      'Sessions',
      'Verify, refresh, log out, and how fast a revocation takes effect.',
    ),
    guide(
      'openid',
      'Use any OpenID library',
      'Three values for the sign-in library that your framework already has.',
    ),
    guide(
      'id-tokens',
      'ID tokens',
      'For Supabase, Convex, Neon and others that check who the user is by themselves.',
    ),
    guide(
      'users',
      'Users',
      'Find, block, delete, export and import users, and end their sessions.',
    ),
    guide(
      'leaving',
      'Moving in and leaving',
      'Take your users along: from other services, and away.',
    ),
    guide(
      'your-data',
      'Your data',
      'What people can do at /me, and how owners meet removal requests.',
    ),
    guide(
      'brand',
      'Domains and brand',
      'Verify your domain, and show your name and logo on the consent page.',
    ),
    guide('events', 'Events', 'The history of sign-ins: kinds, filters, long polling.'),
    guide(
      'refusals',
      'Why a sign-in did not work',
      'What browsers were told, with the fix for each.',
    ),
    guide('webhooks', 'Webhooks', 'Your server gets the events as they happen, signed.'),
    guide('audit', 'Audit', 'Who changed the project, what, and when.'),
    guide('tenants', 'Tenants and claims', 'Guests, owners, keys, and how to take ownership.'),
    guide(
      'testing',
      'Testing your app',
      'Sign made-up users in from your tests, on a development service.',
    ),
    guide('limits', 'Limits', 'What each tier includes, and what happens at a limit.'),
  ],
}

const RECIPES: DocsSection = {
  title: 'Recipes',
  pages: [
    guide(
      'recipes',
      'All recipes',
      'Complete small apps, their settings, and how to fetch each file.',
    ),
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
    guide(
      'recipes/expo',
      'Expo and installed apps',
      'A scheme of its own on phones, loopback on computers.',
    ),
    guide('recipes/http', 'Without the SDK', 'The calls, in plain JavaScript.'),
  ],
}

const FOR_AGENTS: DocsSection = {
  title: 'For agents',
  pages: [
    guide('mcp', 'MCP', 'The hosted MCP server: six tools, with or without signing in.'),
    guide('oauth', 'OAuth', 'How an MCP client acts for an account: PKCE, scopes, tokens.'),
  ],
}

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

const OPERATING: DocsSection = {
  title: 'Operating',
  pages: [
    guide(
      'self-hosting',
      'Self-hosting',
      'Settings, reverse proxy, several instances, backups, metrics.',
    ),
    guide(
      'security',
      'Security model',
      'What Gatehouse guarantees, known limits, and how to report a problem.',
    ),
  ],
}

/** In reading order, which the navigation, the sitemap and llms-full.txt follow. */
export const DOCS: readonly DocsSection[] = [
  START,
  GUIDES,
  RECIPES,
  FOR_AGENTS,
  REFERENCE,
  OPERATING,
]

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
