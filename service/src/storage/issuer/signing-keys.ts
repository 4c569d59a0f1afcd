import type { Selectable } from 'kysely'
import type { StoredSigningKey } from '../../domain/issuer/signing-key.ts'
import type { SigningKeyStore } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'
import type { Slots } from '../slots.ts'
import { statement } from '../statement.ts'
import type { Tables } from '../tables/tables.ts'

export function signingKeyStore(access: Access): SigningKeyStore {
  return {
    list: async (tenantId) => (await ofTenant.rows(access.read, { tenantId })).map(keyFrom),

    async add(key) {
      await access.write
        .insertInto('signing_keys')
        .values({
          tenant_id: key.tenantId,
          master_kid: key.masterKid,
          public_key: JSON.stringify(key.publicKey),
          sealed: key.sealed,
          created_at: key.createdAt,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },
  }
}

const keyFrom = (row: Selectable<Tables['signing_keys']>): StoredSigningKey => ({
  tenantId: row.tenant_id,
  masterKid: row.master_kid,
  publicKey: JSON.parse(row.public_key),
  sealed: row.sealed,
  createdAt: row.created_at,
})

const ofTenant = statement((db, { tenantId }: Slots<{ tenantId: string }>) =>
  db
    .selectFrom('signing_keys')
    .select(['tenant_id', 'master_kid', 'public_key', 'sealed', 'created_at'])
    .where('tenant_id', '=', tenantId)
    .orderBy('created_at')
    .orderBy('master_kid'),
)
