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
]
