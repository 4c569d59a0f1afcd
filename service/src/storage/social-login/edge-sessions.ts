import type { EdgeSessionStore } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'
import { sweepExpired } from '../sweep-expired.ts'

export function edgeSessionStore(access: Access): EdgeSessionStore {
  return {
    async add(hash, tenantId, expiresAt) {
      await access.write
        .insertInto('edge_sessions')
        .values({ hash, tenant_id: tenantId, expires_at: expiresAt })
        .execute()
    },

    async find(hashes, now) {
      if (hashes.length === 0) return null
      const row = await access.read
        .selectFrom('edge_sessions')
        .select(['tenant_id', 'expires_at'])
        .where('hash', 'in', hashes)
        .where('expires_at', '>', now)
        .executeTakeFirst()
      return row === undefined ? null : { tenantId: row.tenant_id, expiresAt: row.expires_at }
    },

    sweep: (now, limit) => sweepExpired(access, 'edge_sessions', now, limit),
  }
}
