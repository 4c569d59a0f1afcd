import type { Mutant } from '../mutant.ts'

const SUSPENSION = ['service/test/moderation/suspension.test.ts']
const HOSTS = ['service/test/moderation/blocked-hosts.test.ts']

/** What the operator does about tenants of others. */
export const MODERATION: readonly Mutant[] = [
  {
    name: 'a suspended tenant can be changed',
    file: 'service/src/domain/tenants/tenant-access.ts',
    find: "if (status === 'suspended' && !WHILE_SUSPENDED.has(action)) throw tenantSuspended()",
    replace: '',
    tests: SUSPENSION,
  },
  {
    name: 'verify accepts tokens of a suspended tenant',
    file: 'service/src/operations/sessions/verify-access-token.ts',
    find: 'if (ctx.revocations.isSuspended(tenantId)) return SUSPENDED',
    replace: '',
    tests: SUSPENSION,
  },
  {
    name: 'a suspended tenant is refreshed from the cache on SQLite',
    file: 'service/src/storage/sqlite/refresh.ts',
    find: 'and t.suspended_at is null as unchanged',
    replace: 'as unchanged',
    tests: SUSPENSION,
  },
  {
    name: 'a suspended tenant is refreshed from the cache on PostgreSQL',
    file: 'service/src/storage/migrations/0001-initial/refresh-together.ts',
    find: 'and t.suspended_at is null as is_unchanged',
    replace: 'as is_unchanged',
    tests: SUSPENSION,
    postgres: true,
  },
  {
    name: 'an earlier suspension wins over a later lift',
    file: 'service/src/domain/revocation/revocations.ts',
    find: 'if (revocation.generation > (this.#suspensions.get(revocation.tenantId)?.generation ?? 0))',
    replace: 'if (!this.#suspensions.has(revocation.tenantId))',
    tests: SUSPENSION,
  },
  {
    name: 'a tenant is suspended twice, and the first reason is lost',
    file: 'service/src/storage/moderation/moderation.ts',
    find: ".where('suspended_at', suspension === null ? 'is not' : 'is', null)",
    replace: '',
    tests: SUSPENSION,
  },
  {
    name: 'a claim ends a suspension',
    file: 'service/src/operations/claims/decide-claim.ts',
    find: 'if (tenant.suspension !== null) throw tenantSuspended()',
    replace: '',
    tests: SUSPENSION,
  },
  {
    name: 'the owner deletes a suspended project',
    file: 'service/src/operations/tenants/delete-tenant.ts',
    find: "requireTenantAccess(tenant, 'delete', ctx.now())",
    replace: '',
    tests: SUSPENSION,
  },
  {
    name: 'the webhooks of a suspended tenant are sent',
    file: 'service/src/operations/webhooks/deliver-to.ts',
    find: "['paused', 'suspended', 'expired']",
    replace: "['paused', 'expired']",
    tests: SUSPENSION,
  },
  {
    name: 'a name below a blocked host is allowed',
    file: 'service/src/domain/callbacks/blocked-host.ts',
    find: "return labels.map((_, at) => labels.slice(at).join('.'))",
    replace: 'return [named]',
    tests: ['service/src/domain/callbacks/blocked-host.test.ts', ...HOSTS],
  },
  {
    name: 'a login starts on a blocked host',
    file: 'service/src/operations/login/start-login.ts',
    find: 'await requireUnblockedHosts(ctx.stores, [new URL(redirectUri).hostname])',
    replace: '',
    tests: HOSTS,
  },
  {
    name: 'a login that began before the block ends at the blocked host',
    file: 'service/src/operations/login/read-consent.ts',
    find: 'await requireUnblockedHosts(ctx.stores, [new URL(attempt.redirectUri).hostname])',
    replace: '',
    tests: HOSTS,
  },
  {
    name: 'an error page has no way to try again',
    file: 'service/src/http/responses.ts',
    find: "canRetry: problem.retryable && c.req.method === 'GET'",
    replace: "canRetry: !problem.retryable && c.req.method === 'GET'",
    tests: ['service/test/login/retry-page.test.ts'],
  },
  {
    name: 'the operator deletes a tenant without --yes',
    file: 'service/src/cli/command.ts',
    find: 'if (values.yes !== true)',
    replace: 'if (false)',
    tests: ['service/test/process/operator-command.test.ts'],
  },
]
