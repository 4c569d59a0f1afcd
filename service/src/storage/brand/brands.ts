import type { BrandStore } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'

export function brandStore(access: Access): BrandStore {
  const removeFrom = async (table: 'brands' | 'logos', tenantId: string): Promise<boolean> => {
    const deleted = await access.write.deleteFrom(table).where('tenant_id', '=', tenantId).executeTakeFirstOrThrow()
    return deleted.numDeletedRows > 0n
  }

  return {
    async set(tenantId, { name, privacyUrl, termsUrl, accent }, now) {
      const columns = { name, privacy_url: privacyUrl, terms_url: termsUrl, accent, updated_at: now }
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
      if (row === undefined) return null
      const { name, privacy_url: privacyUrl, terms_url: termsUrl, accent, hash, size } = row
      return { name, privacyUrl, termsUrl, accent, logo: hash === null || size === null ? null : { hash, size } }
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
        .where('tenant_id', '=', tenantId)
        .where('hash', '=', hash)
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
