// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code
import type { Mutant } from './mutant.ts'

/** Who runs the service, and what people can do with their own data. */
export const PEOPLE: readonly Mutant[] = [
  {
    name: 'a public start without OPERATOR_NAME and PRIVACY_URL does not warn',
    file: 'service/src/operator.ts',
    find: 'if (isLoopback(new URL(baseUrl))) return []',
    replace: 'return []',
    tests: ['service/test/process/config.test.ts'],
  },
  {
    name: "the operator's links may have any scheme",
    file: 'service/src/operator.ts',
    find: "if (!isWeb || url.username !== '' || url.password !== '') {",
    replace: 'if (url === null) {',
    tests: ['service/test/process/config.test.ts'],
  },
  {
    name: 'pages do not name the operator',
    file: 'service/src/http/pages/operator.ts',
    find: 'name !== null && html`<span>',
    replace: 'name === null && html`<span>',
    tests: ['service/test/http/operator.test.ts'],
  },
]
