import type { CredentialsStore } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'

export function credentialsStore(access: Access): CredentialsStore {
  return {
    async add(tenantId, sealed, now) {
      await access.write
        .insertInto('tenant_credentials')
        .values({ tenant_id: tenantId, sealed, sealed_at: now })
        .execute()
    },

    async find(tenantId) {
      const row = await access.read
        .selectFrom('tenant_credentials')
        .select('sealed')
        .where('tenant_id', '=', tenantId)
        .executeTakeFirst()
      return row?.sealed ?? null
    },

    async replace(tenantId, sealed, now) {
      await access.write
        .updateTable('tenant_credentials')
        .set({ sealed, sealed_at: now })
        .where('tenant_id', '=', tenantId)
        .execute()
    },

    async remove(tenantId) {
      await access.write.deleteFrom('tenant_credentials').where('tenant_id', '=', tenantId).execute()
    },
  }
}
