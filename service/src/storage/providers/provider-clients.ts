import type { Expression, Kysely, Selectable } from 'kysely'
import type { ProviderClient, ProviderClientRef } from '../../domain/providers/provider-client.ts'
import type { ProviderClientStore } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'
import { camelCase, snakeCase } from '../columns.ts'
import type { Slots } from '../slots.ts'
import { statement } from '../statement.ts'
import { removeByTenant, sweepExpired } from '../sweep-expired.ts'
import type { Tables } from '../tables/tables.ts'
import { lockTenant } from '../tenants/lock-tenant.ts'

export function providerClientStore(access: Access): ProviderClientStore {
  return {
    async add(client) {
      await access.write.insertInto('provider_clients').values(snakeCase(client)).execute()
    },

    find: ({ tenantId, id }) => one.find(access.read, { tenantId, id }, clientFrom),

    listCurrent: async (tenantId) =>
      (await current.rows(access.read, { tenantId })).map(clientFrom),

    async lockCurrent(tenantId) {
      return access.inTransaction(async (open) => {
        await lockTenant(open, tenantId)
        return (await current.rows(open.read, { tenantId })).map(clientFrom)
      })
    },

    async retire(tenantId, provider, now, which) {
      const { numUpdatedRows } = await updateCurrent(access.write, tenantId)
        .set({ retired_at: now })
        .where('provider', '=', provider)
        .$if(which === 'pending', (query) => query.where('status', '=', 'pending'))
        .executeTakeFirstOrThrow()
      return Number(numUpdatedRows)
    },

    async setStatus({ tenantId, id }, from, to) {
      const { numUpdatedRows } = await updateCurrent(access.write, tenantId)
        .set({ status: to })
        .where((eb) => eb.and({ id, status: from }))
        .executeTakeFirstOrThrow()
      return numUpdatedRows === 1n
    },

    async activate({ tenantId, id, provider }, now) {
      return access.inTransaction(async (open) => {
        await lockTenant(open, tenantId)
        const { numUpdatedRows } = await updateCurrent(open.write, tenantId)
          .set({ status: 'active', tested_at: now })
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
        if (numUpdatedRows === 0n) {
          return false
        }
        // A newer client that still waits for its test stays.
        await updateCurrent(open.write, tenantId)
          .set({ retired_at: now })
          .where('provider', '=', provider)
          .where('id', '<>', id)
          .where('status', '<>', 'pending')
          .execute()
        return true
      })
    },

    removeByTenant: removeByTenant(access, 'provider_clients'),
    sweep: sweepExpired(access, 'provider_clients', {
      key: ['tenant_id', 'id'],
      where: ['retired_at', '<='],
    }),
  }
}

const COLUMNS = [
  'tenant_id',
  'id',
  'provider',
  'mode',
  'client_id',
  'issuer',
  'display_name',
  'sealed',
  'redirect_uri',
  'status',
  'created_at',
  'tested_at',
  'retired_at',
] as const

const ofTenant = (db: Kysely<Tables>, tenantId: Expression<string>) =>
  db.selectFrom('provider_clients').select(COLUMNS).where('tenant_id', '=', tenantId)

// Both run on logins.

const current = statement((db, { tenantId }: Slots<{ tenantId: string }>) =>
  ofTenant(db, tenantId).where('retired_at', 'is', null).orderBy('created_at').orderBy('id'),
)

const one = statement((db, { tenantId, id }: Slots<ProviderClientRef>) =>
  ofTenant(db, tenantId).where('id', '=', id),
)

const updateCurrent = (db: Kysely<Tables>, tenantId: string) =>
  db
    .updateTable('provider_clients')
    .where('tenant_id', '=', tenantId)
    .where('retired_at', 'is', null)

const clientFrom = (row: Selectable<Tables['provider_clients']>): ProviderClient => camelCase(row)
