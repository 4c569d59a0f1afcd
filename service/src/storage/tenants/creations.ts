import type { CreationStore } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'

export function creationStore(access: Access): CreationStore {
  return {
    async find(scopes) {
      if (scopes.length === 0) return null
      const row = await access.read
        .selectFrom('idempotency_keys')
        .select('tenant_id')
        .where('scope', 'in', scopes)
        .executeTakeFirst()
      return row?.tenant_id ?? null
    },

    // On PostgreSQL the insert waits for an uncommitted insert of the same key; on SQLite there is one writer at a time.
    // No row: another transaction has the key.
    async take(scope, tenantId, now) {
      const row = await access.write
        .insertInto('idempotency_keys')
        .values({ scope, tenant_id: tenantId, created_at: now })
        .onConflict((conflict) => conflict.column('scope').doNothing())
        .returning('scope')
        .executeTakeFirst()
      return row !== undefined
    },
  }
}
