// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code
import type { Mutant } from '../mutant.ts'

const RULE = 'service/src/domain/language.ts'
const RULE_TESTS = ['service/src/domain/language.test.ts']
const TESTS = ['service/test/login/languages.test.ts']
const SECRETS = 'service/src/domain/login/request-secrets.ts'

/** The language of pages for people. */
export const LANGUAGES: readonly Mutant[] = [
  {
    name: 'a language with q=0 is accepted',
    file: RULE,
    find: 'RANGE.test(range) && quality > 0',
    replace: 'RANGE.test(range)',
    tests: RULE_TESTS,
  },
  {
    name: 'languages are not sorted by quality',
    file: RULE,
    find: '    .sort((a, b) => b.quality - a.quality)\n',
    replace: '',
    tests: RULE_TESTS,
  },
  {
    name: 'Accept-Language wins over the language of the start',
    file: RULE,
    find: 'requestedLanguage(uiLocales) ?? kept ?? lookup(acceptedRanges(accepted))',
    replace: 'requestedLanguage(uiLocales) ?? lookup(acceptedRanges(accepted)) ?? kept',
    tests: RULE_TESTS,
  },
  {
    name: 'a provider gets ui_locales as the request has it',
    file: 'service/src/operations/login/provider-redirect.ts',
    find: 'uiLocales: cleanUiLocales(uiLocales)',
    replace: 'uiLocales',
    tests: TESTS,
  },
  {
    name: 'the language of the state is not under its MAC',
    file: SECRETS,
    find: 'const bound = bindToCallback(attemptId, browser, callbackPath) + suffix',
    replace: "const bound = bindToCallback(attemptId, browser, callbackPath) + (suffix && '.de')",
    tests: TESTS,
  },
  {
    name: 'the state does not keep the language of the login link',
    file: 'service/src/operations/login/provider-redirect.ts',
    find: 'requestedLanguage(uiLocales))',
    replace: 'null)',
    tests: TESTS,
  },
  {
    name: 'the consent form forgets the language',
    file: 'service/src/http/edge/consent.ts',
    find: 'action: inLanguage(language, `/auth/consent/${attempt.id}`)',
    replace: 'action: `/auth/consent/${attempt.id}`',
    tests: TESTS,
  },
  {
    name: 'Arabic is written from left to right',
    file: 'service/src/http/pages/languages/languages.ts',
    find: "tag === 'ar' ? 'rtl' : 'ltr'",
    replace: "'ltr'",
    tests: [...TESTS, 'service/src/http/pages/languages/catalogues.test.ts'],
  },
  {
    name: 'a German message lacks its value',
    file: 'service/src/http/pages/languages/de.ts',
    find: 'title: (host) => `Bei ${host} anmelden`',
    replace: 'title: () => `Bei der App anmelden`',
    tests: ['service/src/http/pages/languages/catalogues.test.ts'],
  },
  {
    name: 'a German message is not translated',
    file: 'service/src/http/pages/languages/de.ts',
    find: "deny: 'Abbrechen'",
    replace: "deny: 'Cancel'",
    tests: ['service/src/http/pages/languages/catalogues.test.ts'],
  },
  {
    name: 'the developer’s part of an error page has no language',
    file: 'service/src/http/pages/error-page.ts',
    find: '<p lang="en" dir="ltr">',
    replace: '<p>',
    tests: TESTS,
  },
  {
    name: 'error pages of the console are translated',
    file: 'service/src/http/account/form.ts',
    find: 'handle, () => ENGLISH)',
    replace: 'handle)',
    tests: TESTS,
  },
]
