// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code

import type { Mutant } from './mutant.ts'

/** Validation of requests, and what error responses may contain. */
export const INPUT: readonly Mutant[] = [
  {
    name: 'feedback may contain a NUL',
    file: 'contract/src/feedback.ts',
    find: "!text.includes('\\0')",
    replace: 'text.length > 0',
    tests: ['service/test/http/stored-text.test.ts'],
  },
  {
    name: 'the message of the account page is looked up in a plain object',
    file: 'service/src/http/account/account.ts',
    find: "STATUS_MESSAGES.get(c.req.query('done') ?? '')",
    replace: "(Object.fromEntries(STATUS_MESSAGES) as Record<string, string>)[c.req.query('done') ?? '']",
    tests: ['service/test/owners/account.test.ts'],
  },
  {
    name: 'the development Google gets a URL without a leading slash',
    file: 'service/src/identity/dev-google/dev-google.ts',
    find: "rest.startsWith('/') ? rest : `/${rest}`",
    replace: "rest || '/'",
    tests: ['service/test/login/dev-google.test.ts'],
  },
]
