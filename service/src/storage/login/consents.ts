import type { ConsentKey } from '../../domain/login/remembered-consent.ts'
import type { ConsentStore } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'
import type { Slots } from '../slots.ts'
import { statement } from '../statement.ts'
import { sweepExpired } from '../sweep-expired.ts'
import type { InResource } from '../tenants/resources.ts'

export function consentStore(access: Access): ConsentStore {
  return {
    async remember(resource, consent) {
      const seen = { brand_hash: consent.brandHash, at: consent.at }
      await access.write
        .insertInto('consents')
        .values({
          tenant_id: resource.tenantId,
          resource_id: resource.id,
          user_id: consent.userId,
          host: consent.host,
          provider: consent.provider,
          browser_hash: consent.browserHash,
          ...seen,
        })
        .onConflict((conflict) => conflict.columns([...KEY, 'tenant_id']).doUpdateSet(seen))
        .execute()
    },

    find: (resource, key, browserHashes) =>
      find.find(access.read, { resource, key, browserHashes }, ({ brand_hash, at }) => ({
        brandHash: brand_hash,
        at,
      })),

    async hasAny(resource, userId, since) {
      const row = await access.read
        .selectFrom('consents')
        .select('at')
        .where((eb) =>
          eb.and({ tenant_id: resource.tenantId, resource_id: resource.id, user_id: userId }),
        )
        .where('at', '>=', since)
        .limit(1)
        .executeTakeFirst()
      return row !== undefined
    },

    async forget(resource, userId) {
      const { numDeletedRows } = await access.write
        .deleteFrom('consents')
        .where((eb) =>
          eb.and({ tenant_id: resource.tenantId, resource_id: resource.id, user_id: userId }),
        )
        .executeTakeFirstOrThrow()
      return Number(numDeletedRows)
    },

    sweep: sweepExpired(access, 'consents', { key: KEY, where: ['at', '<'] }),
  }
}

interface OfBrowser extends InResource {
  readonly key: ConsentKey
  readonly browserHashes: readonly string[]
}

const find = statement((db, { resource, key, browserHashes }: Slots<OfBrowser>) =>
  db
    .selectFrom('consents')
    .select(['brand_hash', 'at'])
    .where('tenant_id', '=', resource.tenantId)
    .where('resource_id', '=', resource.id)
    .where('user_id', '=', key.userId)
    .where('host', '=', key.host)
    .where('provider', '=', key.provider)
    .where('browser_hash', 'in', browserHashes)
    .orderBy('at', 'desc')
    .limit(1),
)

/** The primary key, without the tenant, which the resource determines. */
const KEY = ['resource_id', 'user_id', 'host', 'provider', 'browser_hash'] as const
