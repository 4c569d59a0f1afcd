import type { Mutant } from './mutant.ts'

/** Tenants, their owners and their limits. */
export const TENANTS: readonly Mutant[] = [
  {
    name: 'an application key opens the management API',
    file: 'service/src/operations/tenants/authenticate-key.ts',
    find: 'if (found.kind !== wanted) throw wrongKeyKind(wanted)',
    replace: '',
    tests: ['service/test/tenants/keys.test.ts', 'service/test/tenants/management-auth.test.ts'],
  },
  {
    name: 'a user of another tenant is returned by id',
    file: 'service/src/storage/social-login/users.ts',
    find: "        .where('tenant_id', '=', resource.tenantId)\n        .where('resource_id', '=', resource.id)\n        .where('id', '=', userId)\n        .where(stillActive(resource))",
    replace: "        .where('id', '=', userId)",
    tests: ['service/test/tenants/isolation.test.ts'],
  },
  {
    name: "an owner opens another owner's project",
    file: 'service/src/operations/tenants/require-owned-tenant.ts',
    find: 'owned.find(({ id }) => id === tenantId)',
    replace: 'owned.find(({ id }) => id === tenantId) ?? (await ctx.stores.tenants.find(tenantId)) ?? undefined',
    tests: ['service/test/owners/projects.test.ts', 'service/test/tenants/isolation.test.ts'],
  },
  {
    name: 'an account page accepts a form without a CSRF token',
    file: 'service/src/http/account/form.ts',
    find: "owner.requireCsrf(form.get('csrf') ?? '', ACCOUNT_FORMS)",
    replace: '',
    tests: ['service/test/owners/cross-site-posts.test.ts'],
  },
  {
    name: 'a form is accepted from another site',
    file: 'service/src/http/callers/same-origin.ts',
    find: 'if (foreignSite || foreignOrigin)',
    replace: 'if (false)',
    tests: ['service/test/owners/cross-site-posts.test.ts'],
  },
  {
    name: 'a claim is approved twice',
    file: 'service/src/operations/claims/decide-claim.ts',
    find: 'if (!(await stores.claims.decide(claim.id, decision, input.account.id, now))) return false',
    replace: 'await stores.claims.decide(claim.id, decision, input.account.id, now)',
    tests: ['service/test/owners/claim.test.ts', 'service/test/sessions/single-use.test.ts'],
  },
  {
    name: 'a paused tenant can be used',
    file: 'service/src/domain/tenants/tenant-access.ts',
    find: "if (status === 'paused' && action === 'use') throw tenantPaused(tenant.pauseReason)",
    replace: '',
    tests: ['service/test/limits/guest-events.test.ts'],
  },
  {
    name: 'an expired tenant can be used',
    file: 'service/src/domain/tenants/tenant-access.ts',
    find: "if (status === 'expired') throw tenantExpired()",
    replace: '',
    tests: ['service/test/tenants/ended-tenants.test.ts'],
  },
  {
    name: 'a guest has twice its lifetime events',
    file: 'contract/src/limits.ts',
    find: 'eventsPerLifetime: 100',
    replace: 'eventsPerLifetime: 200',
    tests: ['service/test/limits/guest-events.test.ts'],
  },
  {
    name: 'a curl User-Agent may create a tenant',
    file: 'service/src/http/control/tenants.ts',
    find: '/curl/i',
    replace: '/never-a-user-agent/i',
    tests: ['service/test/limits/attack.test.ts'],
  },
]
