import type { MeSessionStore, PersonStore, RemovalStore } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'
import { camelCase, snakeCase } from '../columns.ts'
import { sweepExpired } from '../sweep-expired.ts'
import { stillActive } from '../tenants/resources.ts'
import { usersByIdentity } from '../users/identities.ts'
import { LAST_SEEN } from '../users/last-seen.ts'
import { SEEN_COLUMNS, seenFrom } from '../users/user-search.ts'

export function personStore(access: Access): PersonStore {
  return {
    async users({ issuer, subject }, { offset, limit }) {
      const rows = await access.read
        .selectFrom('users')
        .select([...SEEN_COLUMNS, 'tenant_id', 'resource_id'])
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        // `union` keeps one row of a user whose row and further identity are the same.
        .union(
          usersByIdentity(access.read)
            .select([
              'id',
              'users.email',
              'users.name',
              'users.picture',
              'first_seen',
              LAST_SEEN.as('last_seen'),
            ])
            .select(['users.tenant_id', 'users.resource_id'])
            .where('identities.issuer', '=', issuer)
            .where('identities.subject', '=', subject),
        )
        // The selected value, not the column of the table.
        .orderBy('last_seen', 'desc')
        .orderBy('tenant_id')
        .orderBy('resource_id')
        .limit(limit)
        .offset(offset)
        .execute()
      return rows.map((row) => ({
        tenantId: row.tenant_id,
        resourceId: row.resource_id,
        user: seenFrom(row),
      }))
    },
  }
}

export function meSessionStore(access: Access): MeSessionStore {
  return {
    async add(hash, { issuer, subject, email, name, createdAt, expiresAt }) {
      await access.write
        .insertInto('me_sessions')
        .values({
          hash,
          issuer,
          subject,
          email,
          name,
          created_at: createdAt,
          expires_at: expiresAt,
        })
        .execute()
    },

    async find(hashes, now) {
      if (hashes.length === 0) {
        return null
      }
      const row = await access.read
        .selectFrom('me_sessions')
        .select(['issuer', 'subject', 'email', 'name', 'created_at', 'expires_at'])
        .where('hash', 'in', hashes)
        .where('expires_at', '>', now)
        .executeTakeFirst()
      if (row === undefined) {
        return null
      }
      return {
        issuer: row.issuer,
        subject: row.subject,
        email: row.email,
        name: row.name,
        createdAt: row.created_at,
        expiresAt: row.expires_at,
      }
    },

    async end(hashes) {
      if (hashes.length > 0) {
        await access.write.deleteFrom('me_sessions').where('hash', 'in', hashes).execute()
      }
    },

    sweep: sweepExpired(access, 'me_sessions', { key: ['hash'], where: ['expires_at', '<='] }),
  }
}

export function removalStore(access: Access): RemovalStore {
  return {
    async add({ tenantId, resourceId, userId, requestedAt, requestId }) {
      const { numInsertedOrUpdatedRows = 0n } = await access.write
        .insertInto('removal_requests')
        .values(snakeCase({ tenantId, resourceId, userId, requestedAt, requestId }))
        .onConflict((conflict) =>
          conflict.columns(['resource_id', 'user_id', 'tenant_id']).doNothing(),
        )
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows > 0n
    },

    async requestedAt(resource, userId) {
      const row = await access.read
        .selectFrom('removal_requests')
        .select('requested_at')
        .where((eb) =>
          eb.and({ tenant_id: resource.tenantId, resource_id: resource.id, user_id: userId }),
        )
        .executeTakeFirst()
      return row?.requested_at ?? null
    },

    async withdraw(resource, userId) {
      const { numDeletedRows } = await access.write
        .deleteFrom('removal_requests')
        .where((eb) =>
          eb.and({ tenant_id: resource.tenantId, resource_id: resource.id, user_id: userId }),
        )
        .executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    },

    // Names the tenant in `stillActive` only; see there.
    async page(resource, { after, limit }) {
      const rows = await access.read
        .selectFrom('removal_requests')
        .innerJoin('users', (join) =>
          join
            .onRef('users.resource_id', '=', 'removal_requests.resource_id')
            .onRef('users.id', '=', 'removal_requests.user_id')
            .onRef('users.tenant_id', '=', 'removal_requests.tenant_id'),
        )
        .select(['user_id', 'email', 'requested_at'])
        .where('removal_requests.resource_id', '=', resource.id)
        .where('user_id', '>', after)
        .where(stillActive(resource))
        .orderBy('user_id')
        .limit(limit)
        .execute()
      return rows.map(({ user_id, email, requested_at }) => ({
        userId: user_id,
        email,
        requestedAt: requested_at,
      }))
    },

    async listDue(before, limit) {
      const rows = await access.read
        .selectFrom('removal_requests')
        .select(['tenant_id', 'resource_id', 'user_id', 'requested_at', 'request_id'])
        .where('requested_at', '<', before)
        .orderBy('requested_at')
        .limit(limit)
        .execute()
      return rows.map(camelCase)
    },
  }
}
