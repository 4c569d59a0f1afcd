import type { PersonStore } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'
import { SEEN_COLUMNS, seenFrom } from '../social-login/user-rows.ts'

export function personStore(access: Access): PersonStore {
  return {
    async users({ issuer, subject }, { offset, limit }) {
      const rows = await access.read
        .selectFrom('users')
        .select([...SEEN_COLUMNS, 'tenant_id', 'resource_id'])
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        // The selected value, not the column of the table.
        .orderBy('last_seen', 'desc')
        .orderBy('tenant_id')
        .orderBy('resource_id')
        .limit(limit)
        .offset(offset)
        .execute()
      return rows.map((row) => ({ tenantId: row.tenant_id, resourceId: row.resource_id, user: seenFrom(row) }))
    },
  }
}
