// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code

import type { Mutant } from './mutant.ts'

/** Logins: the provider, callback URLs and consent. */
export const LOGIN: readonly Mutant[] = [
  {
    name: "the consent page accepts any browser's cookie",
    file: 'service/src/operations/login/read-consent.ts',
    find: '.some((hash) => constantTimeEqual(hash, attempt.browserHash))',
    replace: '.some((hash) => hash.length > 0)',
    tests: ['service/test/login/attacks.test.ts'],
  },
  {
    name: 'the consent decision skips its CSRF token',
    file: 'service/src/operations/login/decide-consent.ts',
    find: 'if (!isConsentToken(',
    replace: 'if (false && !isConsentToken(',
    tests: ['service/test/login/attacks.test.ts', 'service/test/owners/cross-site-posts.test.ts'],
  },
  {
    name: 'every login has the same nonce',
    file: 'service/src/domain/login/request-secrets.ts',
    find: "nonce: keyring.mac('login-nonce', state, kid)",
    replace: "nonce: keyring.mac('login-nonce', '', kid)",
    tests: ['service/test/login/dev-google.test.ts', 'service/test/login/attacks.test.ts'],
  },
  {
    name: "the provider's ID token is accepted with any nonce",
    file: 'service/src/identity/google.ts',
    find: 'expectedNonce: nonce,',
    replace: '',
    tests: ['service/test/login/provider-responses.test.ts'],
  },
  {
    name: 'the code is exchanged without the PKCE verifier',
    file: 'service/src/identity/google.ts',
    find: 'pkceCodeVerifier: codeVerifier,',
    replace: '',
    tests: ['service/test/login/dev-google.test.ts', 'service/test/login/provider-responses.test.ts'],
  },
  {
    name: 'a state of another browser is accepted',
    file: 'service/src/domain/login/request-secrets.ts',
    find: 'const bindToBrowser = (attemptId: AttemptId | SignInId, browser: string): string => `${attemptId}\\0${browser}`',
    replace: 'const bindToBrowser = (attemptId: AttemptId | SignInId, _browser: string): string => attemptId',
    tests: ['service/test/login/attacks.test.ts'],
  },
  {
    name: 'a removed callback URL still gets tokens',
    file: 'service/src/operations/login/decide-consent.ts',
    find: 'const redirectUri = requireRegisteredCallback(resource, attempt.redirectUri)',
    replace: 'const redirectUri = attempt.redirectUri',
    tests: [
      'service/test/login/attacks.test.ts',
      'service/test/login/redirect-uri.test.ts',
      'service/test/login/registered-callbacks.test.ts',
      'service/test/login/login.test.ts',
    ],
  },
  {
    name: 'a consent decision can be sent twice',
    file: 'service/src/operations/login/decide-consent.ts',
    find: 'if (!(await stores.attempts.decide(attempt.id, now)))',
    replace: 'if (!(await stores.attempts.decide(attempt.id, now)) && false)',
    tests: ['service/test/sessions/single-use.test.ts'],
  },
  {
    name: 'an unverified e-mail address is accepted',
    file: 'service/src/domain/login/profile.ts',
    find: "if (claims.email_verified !== true) return { ok: false, fault: 'email_unverified' }",
    replace: '',
    tests: ['service/src/domain/login/profile.test.ts'],
  },
  {
    name: 'a return_to with an encoded second slash is accepted',
    file: 'service/src/domain/login/return-to.ts',
    find: 'HIDDEN_SECOND_SLASH.test(raw) || HIDDEN_SECOND_SLASH.test(resolved.pathname)',
    replace: 'false',
    tests: ['service/src/domain/login/return-to.test.ts', 'service/src/domain/login/return-to.property.test.ts'],
  },
  {
    name: 'a callback host matches any host with the same ending',
    file: 'service/src/domain/callbacks/match.ts',
    find: 'rest.length === base.length && rest.every(',
    replace: 'rest.every(',
    tests: ['service/src/domain/callbacks/match.test.ts'],
  },
  {
    name: 'a callback URL matches on another port',
    file: 'service/src/domain/callbacks/match.ts',
    find: "callback.port === 'any' || callback.port === portOf(parts)",
    replace: 'true',
    tests: ['service/src/domain/callbacks/match.test.ts'],
  },
  {
    name: 'a link preview spends an event',
    file: 'service/src/http/callers/prefetch.ts',
    find: "LINK_PREVIEW.test(c.req.header('user-agent') ?? '')",
    replace: 'false',
    tests: ['service/test/login/login.test.ts'],
  },
  {
    name: 'a 101 response to an outgoing call is ignored',
    file: 'service/src/identity/settle-request.ts',
    find: "request.on('upgrade'",
    replace: "request.on('never'",
    tests: ['service/test/login/provider-faults.test.ts'],
  },
]
