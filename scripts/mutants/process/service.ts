// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code

import type { Mutant } from '../mutant.ts'

/** The process: its settings, its log and its error handling. */
export const SERVICE: readonly Mutant[] = [
  {
    name: 'secrets are written to the log',
    file: 'service/src/log.ts',
    find: "text.replace(SECRETS, '[secret]')",
    replace: 'text',
    tests: ['service/test/process/logs.test.ts'],
    postgres: true,
  },
  {
    name: 'the log redacts only the prefixes that it names itself',
    file: 'service/src/log.ts',
    find: '`${SECRET_PREFIX_PATTERN}[\\\\w-]+|',
    replace: '`svc_(?:man|app|rt|wt|es)_[\\\\w-]+|',
    tests: ['service/test/process/logs.test.ts'],
    postgres: true,
  },
  {
    name: 'the development Google runs on any HOST',
    file: 'service/src/config.ts',
    find: "if (allowed !== '1') {",
    replace: 'if (false) {',
    tests: ['service/test/process/config.test.ts'],
  },
  {
    name: 'the banner of the development Google is missing',
    file: 'service/src/http/router.ts',
    find: 'if (deps.exposedDevelopmentSignIn) app.use(developmentBanner)',
    replace: '',
    tests: ['service/test/http/pages.test.ts'],
  },
  {
    name: 'an exception in the fast path is not caught',
    file: 'service/src/http/server/failed-request.ts',
    find: 'fail(request.req, request.res, error)',
    replace: '',
    tests: ['service/test/http/uncaught-errors.test.ts'],
  },
]
