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
  {
    name: 'an error lists every problem of a request',
    file: 'service/src/domain/invalid-request.ts',
    find: 'problems.slice(0, PROBLEMS_MAX)',
    replace: 'problems',
    tests: ['service/test/http/invalid-requests.test.ts'],
  },
  {
    name: 'the problems of an error may have any size',
    file: 'service/src/domain/invalid-request.ts',
    find: 'if (bytes > PROBLEMS_MAX_BYTES) break',
    replace: '',
    tests: ['service/test/http/invalid-requests.test.ts'],
  },
  {
    name: 'the elements of a list are checked before its length',
    file: 'contract/src/bounded-list.ts',
    find: 'if (!Array.isArray(list) || list.length <= max) return list',
    replace: 'if (true) return list',
    tests: ['service/test/http/invalid-requests.test.ts'],
  },
  {
    name: 'invalid requests with a key are not limited',
    file: 'service/src/operations/limits/invalid-request-limit.ts',
    find: 'sent <= INVALID_REQUESTS_PER_MINUTE ? error : rateLimited(now)',
    replace: 'error',
    tests: ['service/test/http/invalid-requests.test.ts'],
  },
  {
    name: 'callback URLs have the body limit of other requests',
    file: 'contract/src/social-login.ts',
    find: 'const PROVISION_MAX_BYTES = 256 * 1_024',
    replace: 'const PROVISION_MAX_BYTES = 64 * 1_024',
    tests: ['service/test/tenants/resources.test.ts'],
  },
  {
    name: 'a full last page of events links to another page',
    file: 'service/src/operations/social-login/list-events.ts',
    find: 'hasMore: events.length > query.limit',
    replace: 'hasMore: events.length >= query.limit',
    tests: ['service/test/users-and-events/users.test.ts'],
  },
  {
    name: 'a full last page of users links to another page',
    file: 'service/src/operations/social-login/list-users.ts',
    find: 'hasMore: users.length > limit',
    replace: 'hasMore: users.length >= limit',
    tests: ['service/test/users-and-events/users.test.ts'],
  },
  {
    name: 'problems have the words of the validation library',
    file: 'service/src/http/mount-endpoint.ts',
    find: 'schema.safeParse(value, { error: issueText })',
    replace: 'schema.safeParse(value)',
    tests: ['service/test/http/invalid-requests.test.ts'],
  },
  {
    name: 'arguments of a tool have the words of the validation library',
    file: 'service/src/http/mcp/call-tool.ts',
    find: ', { error: issueText })',
    replace: ')',
    tests: ['service/test/http/invalid-requests.test.ts'],
  },
]
