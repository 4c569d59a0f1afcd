import type { Kysely, Selectable } from 'kysely'
import type { Domain, DomainRef } from '../../domain/brand/domain.ts'
import type { BrandStore, DomainStore } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'
import { camelCase } from '../columns.ts'
import type { Slots } from '../slots.ts'
import { statement } from '../statement.ts'
import { removeByTenant } from '../sweep-expired.ts'
import type { Tables } from '../tables/tables.ts'
import { lockTenant } from '../tenants/lock-tenant.ts'

export function brandStore(access: Access): BrandStore {
  const removeFrom = async (table: 'brands' | 'logos', tenantId: string): Promise<boolean> => {
    const deleted = await access.write
      .deleteFrom(table)
      .where('tenant_id', '=', tenantId)
      .executeTakeFirstOrThrow()
    return deleted.numDeletedRows > 0n
  }

  return {
    async set(tenantId, { name, privacyUrl, termsUrl, accent }, now) {
      const columns = {
        name,
        privacy_url: privacyUrl,
        terms_url: termsUrl,
        accent,
        updated_at: now,
      }
      await access.write
        .insertInto('brands')
        .values({ tenant_id: tenantId, ...columns })
        .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(columns))
        .execute()
    },

    async find(tenantId) {
      const row = await access.read
        .selectFrom('brands')
        .leftJoin('logos', 'logos.tenant_id', 'brands.tenant_id')
        .select(['name', 'privacy_url', 'terms_url', 'accent', 'hash', 'size'])
        .where('brands.tenant_id', '=', tenantId)
        .executeTakeFirst()
      if (row === undefined) {
        return null
      }
      const { name, privacy_url: privacyUrl, terms_url: termsUrl, accent, hash, size } = row
      return {
        name,
        privacyUrl,
        termsUrl,
        accent,
        logo: hash === null || size === null ? null : { hash, size },
      }
    },

    async setLogo(tenantId, { hash, size, png }, now) {
      const columns = { hash, size, png, updated_at: now }
      await access.write
        .insertInto('logos')
        .values({ tenant_id: tenantId, ...columns })
        .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(columns))
        .execute()
    },

    async findLogo(tenantId, hash) {
      const row = await access.read
        .selectFrom('logos')
        .select('png')
        .where((eb) => eb.and({ tenant_id: tenantId, hash }))
        .executeTakeFirst()
      return row?.png ?? null
    },

    removeLogo: (tenantId) => removeFrom('logos', tenantId),

    async remove(tenantId) {
      await removeFrom('logos', tenantId)
      return removeFrom('brands', tenantId)
    },
  }
}

const COLUMNS = [
  'tenant_id',
  'host',
  'status',
  'method',
  'verified_at',
  'checked_at',
  'next_check_at',
  'misses',
  'created_at',
] as const

const select = (db: Kysely<Tables>) => db.selectFrom('domains').select(COLUMNS)

const byTenant = statement((db, { tenantId }: Slots<{ tenantId: string }>) =>
  select(db).where('tenant_id', '=', tenantId).orderBy('created_at').orderBy('host'),
)

export function domainStore(access: Access): DomainStore {
  const change = ({ tenantId, host }: DomainRef) =>
    access.write.updateTable('domains').where('tenant_id', '=', tenantId).where('host', '=', host)

  return {
    async add({ tenantId, host }, now, limit) {
      return access.inTransaction(async (open) => {
        await lockTenant(open, tenantId)
        const rows = await open.read
          .selectFrom('domains')
          .select('host')
          .where('tenant_id', '=', tenantId)
          .execute()
        if (rows.some((row) => row.host === host)) {
          return 'exists'
        }
        if (rows.length >= limit) {
          return 'limit'
        }
        await open.write
          .insertInto('domains')
          .values({ tenant_id: tenantId, host, status: 'pending', misses: 0, created_at: now })
          .execute()
        return 'added'
      })
    },

    async find({ tenantId, host }) {
      const row = await select(access.read)
        .where('tenant_id', '=', tenantId)
        .where('host', '=', host)
        .executeTakeFirst()
      return row === undefined ? null : domainFrom(row)
    },

    async listByTenant(tenantId) {
      return (await byTenant.rows(access.read, { tenantId })).map(domainFrom)
    },

    async verify(ref, { method, at, nextCheckAt }) {
      const found = { method, checked_at: at, next_check_at: nextCheckAt, misses: 0 }
      const first = await change(ref)
        .set({ ...found, status: 'verified', verified_at: at })
        .where('status', '!=', 'verified')
        .executeTakeFirstOrThrow()
      if (first.numUpdatedRows > 0n) {
        return 'new'
      }
      const { numUpdatedRows } = await change(ref).set(found).executeTakeFirstOrThrow()
      return numUpdatedRows > 0n ? 'again' : null
    },

    async listDue(now, limit) {
      const due = select(access.read)
        .where('next_check_at', '<=', now)
        .orderBy('next_check_at')
        .limit(limit)
      return (await due.execute()).map(domainFrom)
    },

    async lease(ref, now, until) {
      const row = await change(ref)
        .set({ next_check_at: until })
        .where('next_check_at', '<=', now)
        .returning(COLUMNS)
        .executeTakeFirst()
      return row === undefined ? null : domainFrom(row)
    },

    async saveRecheck(ref, lease, { status, method, misses, checkedAt, nextCheckAt }) {
      const { numUpdatedRows } = await change(ref)
        .set({ status, method, misses, checked_at: checkedAt, next_check_at: nextCheckAt })
        .where('next_check_at', '=', lease)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    async remove({ tenantId, host }) {
      const { numDeletedRows } = await access.write
        .deleteFrom('domains')
        .where((eb) => eb.and({ tenant_id: tenantId, host }))
        .executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    },

    removeByTenant: removeByTenant(access, 'domains'),
  }
}

const domainFrom = (row: Selectable<Tables['domains']>): Domain => camelCase(row)
