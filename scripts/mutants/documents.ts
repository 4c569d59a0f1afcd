import type { Mutant } from './mutant.ts'

/** The public documents, and the files and commands that they print. */
export const DOCUMENTS: readonly Mutant[] = [
  {
    name: 'llms.txt registers a callback that the app of the next step does not have',
    file: 'service/content/llms.md',
    find: '["http://localhost:3000/auth/callback"]',
    replace: '["http://localhost:3000/callback"]',
    tests: ['service/test/discovery/llms.test.ts'],
  },
  {
    name: 'the front page is HTML for a client that prefers Markdown',
    file: 'service/src/http/discovery/pages.ts',
    find: "if (wanted === 'text/markdown')",
    replace: 'if (false)',
    tests: ['service/test/discovery/llms.test.ts'],
  },
  {
    name: 'a recipe starts without the values of .service',
    file: 'examples/recipes/node/gatehouse.js',
    find: 'if (!value) throw new Error',
    replace: 'if (false) throw new Error',
    tests: ['sdk/test/readme.test.ts'],
  },
  {
    name: 'the file of a recipe is not served where its page links to',
    file: 'service/src/http/discovery/docs/docs.ts',
    find: 'development), page.path)',
    replace: "development), '/docs')",
    tests: ['service/test/discovery/recipes.test.ts'],
  },
  {
    name: 'public pages allow inline scripts',
    file: 'service/src/http/headers.ts',
    find: "script-src 'self';",
    replace: "script-src 'self' 'unsafe-inline';",
    tests: ['service/test/http/pages.test.ts'],
  },
  {
    name: 'pages with a decision allow scripts',
    file: 'service/src/http/headers.ts',
    find: "c.header('Content-Security-Policy', pagePolicy(formActions))",
    replace: "c.header('Content-Security-Policy', pagePolicy(formActions) + \"; script-src 'self'\")",
    tests: ['service/test/http/pages.test.ts'],
  },
  {
    name: 'highlighted code loses the text after the last token',
    file: 'service/src/http/discovery/docs/highlight.ts',
    find: '[...parts, code.slice(end)]',
    replace: 'parts',
    tests: ['service/src/http/discovery/docs/highlight.test.ts'],
  },
  {
    name: 'search does not look at headings',
    file: 'service/src/http/discovery/docs/search/find-sections.ts',
    find: 'inTitle(heading, word) * 3',
    replace: '0',
    tests: ['service/test/discovery/search.test.ts'],
  },
  {
    name: 'the anchors of search results are not those of the pages',
    file: 'service/src/http/discovery/docs/search/search-index.ts',
    find: 'depth < 2 ?',
    replace: 'depth < 3 ?',
    tests: ['service/test/discovery/search.test.ts'],
  },
  {
    name: 'feedback on the web is sent for a project of another owner',
    file: 'service/src/operations/tenants/require-owned-tenant.ts',
    find: 'ctx.stores.ownership.ownedBy(account.id)',
    replace: '[await ctx.stores.tenants.find(tenantId)].filter((found) => found !== null)',
    tests: ['service/test/owners/feedback-page.test.ts'],
  },
  {
    name: 'feedback that is over the limit loses the text',
    file: 'service/src/http/discovery/feedback/feedback.ts',
    find: 'if (!(error instanceof ApiError)) throw error',
    replace: 'throw error',
    tests: ['service/test/owners/feedback-page.test.ts'],
  },
  {
    name: 'an operation has no example with curl',
    file: 'service/src/http/discovery/docs/api/curl-example.ts',
    find: '...bodyOf(type, media?.example),',
    replace: '',
    tests: ['service/test/discovery/api-reference.test.ts'],
  },
]
