import type { Mutant } from './mutant.ts'

/** Many tenants on one database, and on several. */
export const SCALE: readonly Mutant[] = [
  {
    name: 'a unique key lacks the distribution column',
    file: 'service/src/storage/migrations/0001-initial/columns.ts',
    find: ".addPrimaryKeyConstraint(key, ['id', 'tenant_id'])",
    replace: ".addPrimaryKeyConstraint(key, ['id'])",
    tests: ['service/test/storage/distribution.test.ts'],
    postgres: true,
  },
  {
    name: 'a step of a login finds its attempt without the tenant',
    file: 'service/src/storage/social-login/attempt-statements.ts',
    find: "db.updateTable('login_attempts').where('id', '=', id).where('tenant_id', '=', tenantId)",
    replace: "db.updateTable('login_attempts').where('id', '=', id)",
    tests: ['service/test/storage/distribution.test.ts'],
    postgres: true,
  },
  {
    name: 'a refresh updates sessions without the tenant',
    file: 'service/src/storage/migrations/0001-initial/refresh-one-by-one.ts',
    find: ' and s.id = i.session_id and s.tenant_id = i.tenant_id;',
    replace: ' and s.id = i.session_id;',
    tests: ['service/test/storage/distribution.test.ts'],
    postgres: true,
  },
  {
    name: 'all tenants wait in one queue',
    file: 'service/src/operations/tenant-queues.ts',
    find: 'this.#queues.get(key) ??',
    replace: '[...this.#queues.values()][0] ??',
    tests: ['service/src/operations/tenant-queues.test.ts'],
  },
  {
    name: 'a busy tenant keeps its share when another one sends',
    file: 'service/src/operations/tenant-queues.ts',
    find: 'this.#isShared() ? beside : alone',
    replace: 'beside > alone ? beside : alone',
    tests: ['service/src/operations/tenant-queues.test.ts'],
  },
  {
    name: 'a backlog does not rest beside another tenant',
    file: 'service/src/operations/tenant-queues.ts',
    find: 'queue.waiting.length > 0 && this.#isShared() ? this.#now() - began : 0',
    replace: 'queue.waiting.length > 0 && this.#isShared() && began < 0 ? 1 : 0',
    tests: ['service/src/operations/tenant-queues.test.ts'],
  },
  {
    name: 'refreshes wait in no queue of their tenant',
    file: 'service/src/operations/sessions/refresh-session.ts',
    find: "await ctx.queues.run('refresh', tenant.id, () => tryRefresh(ctx, tenant, token, input))",
    replace: 'await tryRefresh(ctx, tenant, token, input)',
    tests: ['service/test/limits/busy-tenant.test.ts'],
  },
  {
    name: 'login starts wait in no queue of their tenant',
    file: 'service/src/operations/login/start-login.ts',
    find: "ctx.queues.run('start', input.tenantId, work)",
    replace: 'work()',
    tests: ['service/test/limits/busy-tenant.test.ts'],
  },
]
