import type { Mutant } from './mutant.ts'

/** What exists for the tests of apps, with the development Google only. */
export const DEVELOPMENT: readonly Mutant[] = [
  {
    name: 'the development settings are accepted with a real Google',
    file: 'service/src/config.ts',
    find: 'if (google !== null) rejectDevelopmentSettings(text, problems)',
    replace: '',
    tests: ['service/test/process/config.test.ts'],
  },
  {
    name: 'DEV_UNLIMITED is always on',
    file: 'service/src/config.ts',
    find: "return value === '1'",
    replace: "return value !== '0'",
    tests: ['service/test/limits/unlimited.test.ts'],
  },
  {
    name: 'an event that no limit rejects pauses a guest despite DEV_UNLIMITED',
    file: 'service/src/operations/limits/count-auth-event.ts',
    find: 'usedOf(charges.lifetime), unlimited)',
    replace: 'usedOf(charges.lifetime), false)',
    tests: ['service/test/limits/unlimited.test.ts'],
  },
  {
    name: 'a client address is limited despite DEV_UNLIMITED',
    file: 'service/src/operations/limits/limit-by-address.ts',
    find: 'ctx.unlimited ? null : limit.perMinute',
    replace: 'limit.perMinute',
    tests: ['service/test/limits/unlimited.test.ts'],
  },
  {
    name: 'DEV_ACCESS_TOKEN_SECONDS changes nothing',
    file: 'service/src/operations/sessions/token-pair.ts',
    find: '      ctx.accessTokenSeconds,\n',
    replace: '',
    tests: ['service/test/sessions/token-lifetime.test.ts'],
  },
  {
    name: 'the cookie of tests decides the consent of a real service',
    file: 'service/src/http/edge/consent.ts',
    find: 'development ? readPreselectedUser(',
    replace: 'true ? readPreselectedUser(',
    tests: ['service/test/login/preselected-user.test.ts'],
  },
  {
    name: 'an unknown outcome in the cookie of tests signs in',
    file: 'service/src/domain/login/preselected-user.ts',
    find: 'name === undefined || outcome !== null',
    replace: 'true',
    tests: ['service/test/login/preselected-user.test.ts'],
  },
  {
    name: 'a real service creates test sessions',
    file: 'service/src/http/control/test-support.ts',
    find: 'if (!development) return',
    replace: '',
    tests: ['service/test/tenants/test-status.test.ts'],
  },
  {
    name: 'a real service documents the endpoints for tests',
    file: 'contract/src/endpoints/index.ts',
    find: 'development || endpoint.development === undefined',
    replace: 'true',
    tests: ['service/test/tenants/test-status.test.ts'],
  },
  {
    name: 'deleting all users leaves their tokens valid',
    file: 'service/src/operations/test-support/delete-users.ts',
    find: '    await stores.resources.markDeleted(tenant.id, now)\n',
    replace: '',
    tests: ['service/test/users-and-events/test-sessions.test.ts'],
  },
  {
    name: 'a test pauses a tenant that has an owner',
    file: 'service/src/operations/test-support/set-test-status.ts',
    find: 'if (tenant.owner !== null) throw alreadyClaimed()',
    replace: '',
    tests: ['service/test/tenants/test-status.test.ts'],
  },
  {
    name: "the SDK's test support accepts a service on another machine",
    file: 'sdk/src/testing/development-service.ts',
    find: 'if (LOOPBACK.has(url.hostname)) return url',
    replace: 'return url',
    tests: ['sdk/test/testing.test.ts'],
  },
]
