// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code
import type { Mutant } from './mutant.ts'

const RULE = 'service/src/domain/login/remembered-consent.ts'
const TESTS = ['service/test/login/remembered-consent.test.ts']
const RULE_TESTS = ['service/src/domain/login/remembered-consent.test.ts']

/** The consent page, and when it is skipped. */
export const CONSENT: readonly Mutant[] = [
  {
    name: 'consent of a guest is remembered',
    file: RULE,
    find: '  facts.owned &&\n',
    replace: '',
    tests: RULE_TESTS,
  },
  {
    name: 'a guest can set remember_consent',
    file: 'service/src/operations/social-login/change-settings.ts',
    find: 'if (settings.rememberConsent === true && tenant.owner === null)',
    replace: 'if (settings.rememberConsent === true && tenant.id === null)',
    tests: TESTS,
  },
  {
    name: 'consent is skipped although the setting is off',
    file: RULE,
    find: 'resource.rememberConsent && attempt.challenge !== null',
    replace: 'attempt.challenge !== null',
    tests: TESTS,
  },
  {
    name: 'consent is skipped for a login with tokens',
    file: RULE,
    find: 'resource.rememberConsent && attempt.challenge !== null &&',
    replace: 'resource.rememberConsent &&',
    tests: [...RULE_TESTS, ...TESTS],
  },
  {
    name: 'consent is skipped for a wildcard callback',
    file: RULE,
    find: ' && !isWildcard(host)',
    replace: '',
    tests: [...RULE_TESTS, ...TESTS],
  },
  {
    name: 'consent is skipped for a callback on this computer',
    file: RULE,
    find: ' && !isLoopbackHost(host)',
    replace: '',
    tests: [...RULE_TESTS, ...TESTS],
  },
  {
    name: 'consent is skipped without an account chooser',
    file: RULE,
    find: 'canRemember(login) && login.attempt.chooser &&',
    replace: 'canRemember(login) &&',
    tests: [...RULE_TESTS, ...TESTS],
  },
  {
    name: 'consent is skipped with an OpenID provider that an owner chose',
    file: RULE,
    find: ' && CHOOSERS.has(login.attempt.provider)',
    replace: '',
    tests: RULE_TESTS,
  },
  {
    name: 'a login_hint counts as an account chooser',
    file: 'service/src/operations/login/start-login.ts',
    find: "prompt !== 'auto' && loginHint === undefined",
    replace: "prompt !== 'auto'",
    tests: TESTS,
  },
  {
    name: 'a repeated start with prompt=auto keeps the chooser of the first',
    file: 'service/src/operations/login/start-login.ts',
    find: 'const chooser = attempt.chooser && isChooserShown',
    replace: 'const chooser = attempt.chooser || isChooserShown',
    tests: TESTS,
  },
  {
    name: 'consent is remembered for ever',
    file: RULE,
    find: '  now - facts.consent.at <= CONSENT_KEPT_MS &&\n',
    replace: '',
    tests: [...RULE_TESTS, ...TESTS],
  },
  {
    name: 'consent is skipped although the app looks different',
    file: RULE,
    find: ' &&\n  facts.consent.brandHash === facts.brandHash',
    replace: '',
    tests: [...RULE_TESTS, ...TESTS],
  },
  {
    name: 'a new owner keeps the consents of the previous one',
    file: 'service/src/domain/brand/shown-app.ts',
    find: "['app', owner, verified, shown]",
    replace: "['app', verified, shown]",
    tests: ['service/src/domain/brand/shown-app.test.ts', ...TESTS],
  },
  {
    name: 'consent counts in every browser',
    file: 'service/src/storage/social-login/consents.ts',
    find: "    .where('browser_hash', 'in', browserHashes)\n",
    replace: '',
    tests: TESTS,
  },
  {
    name: 'consent counts for every host',
    file: 'service/src/storage/social-login/consents.ts',
    find: "    .where('host', '=', key.host)\n",
    replace: '',
    tests: TESTS,
  },
  {
    name: 'consent counts for every user',
    file: 'service/src/storage/social-login/consents.ts',
    find: "    .where('user_id', '=', key.userId)\n    .where('host'",
    replace: "    .where('host'",
    tests: TESTS,
  },
  {
    name: 'consent counts for every provider',
    file: 'service/src/storage/social-login/consents.ts',
    find: "    .where('provider', '=', key.provider)\n",
    replace: '',
    tests: ['service/test/storage/consents.test.ts'],
  },
  {
    name: 'what the app is at the decision is remembered, not what the page showed',
    file: 'service/src/http/edge/consent-page.ts',
    find: '[SHOWN_FIELD]: remembered',
    replace: "[SHOWN_FIELD]: 'x'.repeat(43)",
    tests: TESTS,
  },
  {
    name: 'a person cannot forget consent',
    file: 'service/src/operations/me/forget-consent.ts',
    find: 'if ((await stores.consents.forget(resource, user.id)) === 0) return',
    replace: 'if (user.id !== null) return',
    tests: TESTS,
  },
  {
    name: 'a deleted user leaves remembered consents',
    file: 'service/src/storage/social-login/change-users.ts',
    find: ".deleteFrom('consents')\n    .where('tenant_id', '=', resource.tenantId)",
    replace: ".deleteFrom('consents')\n    .where('tenant_id', '=', '')",
    tests: TESTS,
  },
  {
    name: 'expired consents are not swept',
    file: 'service/src/operations/sweep.ts',
    find: '  await drain(() => ctx.stores.consents.sweep(now - CONSENT_KEPT_MS, BATCH_ROWS))\n',
    replace: '',
    tests: TESTS,
  },
]
