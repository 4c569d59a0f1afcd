// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code

import type { Mutant } from './mutant.ts'

/** The package for apps. */
export const SDK: readonly Mutant[] = [
  {
    name: 'the SDK derives the key of a refresh without the browser',
    file: 'sdk/src/service/bound-key.ts',
    find: '${tenantId}\\0${bind}\\0${refreshToken}',
    replace: '${tenantId}\\0${refreshToken}',
    tests: ['sdk/test/secret.test.ts'],
  },
  {
    name: 'the SDK gives a pair in memory to another browser',
    file: 'sdk/src/service/refresher.ts',
    find: 'bind ? `${bind} ${refreshToken}` : refreshToken',
    replace: 'bind ? refreshToken : refreshToken',
    tests: ['sdk/test/secret.test.ts'],
  },
  {
    name: 'the SDK forgets a refresh before its pair is in memory',
    file: 'sdk/src/session/recent-pairs.ts',
    find: 'unrecorded.set(key, started)',
    replace: '',
    tests: ['sdk/test/refresher.test.ts'],
  },
  {
    name: 'the SDK rotates a pair that it cannot store',
    file: 'sdk/src/session/place.ts',
    find: 'save: canStore ? async',
    replace: 'save: canStore || true ? async',
    tests: ['sdk/test/session.test.ts'],
  },
  {
    name: 'the SDK keeps the session id itself in the store',
    file: 'sdk/src/session/session-storage.ts',
    find: 'await put(await digest(value), tokens)',
    replace: 'await put(value, tokens)',
    tests: ['sdk/test/store.test.ts'],
  },
  {
    name: 'the SDK looks for __Host- cookies on localhost when it has headers only',
    file: 'sdk/src/session/session-cookies.ts',
    find: "url ?? `http://${headers?.get('host')}`",
    replace: "url ?? ''",
    tests: ['sdk/test/cookies.test.ts'],
  },
  {
    name: 'the SDK accepts a login that it did not start',
    file: 'sdk/src/login/callback.ts',
    find: 'if (!isStarted) {',
    replace: 'if (!isStarted && nonce !== null) {',
    tests: ['sdk/test/callback.test.ts', 'sdk/test/code-flow.test.ts'],
  },
  {
    name: 'the SDK accepts tokens in the URL in the code flow',
    file: 'sdk/src/login/callback.ts',
    find: "(flow === 'tokens' && clearCookies !== null)",
    replace: '(flow !== null && clearCookies !== null)',
    tests: ['sdk/test/code-flow.test.ts'],
  },
  {
    name: 'the SDK exchanges a code with another key each time',
    file: 'sdk/src/login/login-verifier.ts',
    find: 'sha256(`exchange ${verifier}`)',
    replace: 'sha256(`exchange ${randomBase64Url(32)} ${verifier}`)',
    tests: ['sdk/test/code-flow.test.ts'],
  },
  {
    name: 'the SDK redirects a fetch to the login on another origin',
    file: 'sdk/src/adapters/gate.ts',
    find: "if (kind === 'script') return signedOutAnswer(paths.login)",
    replace: '',
    tests: ['sdk/test/gate.test.ts'],
  },
  {
    name: 'the SDK treats an outage as signed out',
    file: 'sdk/src/adapters/gate.ts',
    find: 'return unavailableAnswer(request, error)',
    replace: "return { status: 'signedOut', user: null, tokens: null }",
    tests: ['sdk/test/gate.test.ts'],
  },
  {
    name: 'the SDK keeps dead cookies when it redirects to the login',
    file: 'sdk/src/adapters/gate.ts',
    find: 'withCookies(await loginAnswer(request, shown, view.kind), setCookies)',
    replace: 'await loginAnswer(request, shown, view.kind)',
    tests: ['sdk/test/gate.test.ts', 'sdk/test/lost-responses.test.ts'],
  },
  {
    name: 'the SDK does not send the bound key',
    file: 'sdk/src/session/read-session.ts',
    find: '{ bind: bind ?? undefined }',
    replace: '{ bind: undefined }',
    tests: ['sdk/test/lost-responses.test.ts'],
  },
  {
    name: 'the SDK does not tell other tabs of a logout',
    file: 'sdk/src/browser/browser-session.ts',
    find: "window.addEventListener('storage', onStorage)",
    replace: '',
    tests: ['sdk/test/on-change.test.ts'],
  },
]
