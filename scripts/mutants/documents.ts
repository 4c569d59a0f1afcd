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
]
