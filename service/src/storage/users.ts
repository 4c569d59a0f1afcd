import type { Selectable } from 'kysely'
import type { User } from '../domain/sessions/user.ts'
import type { Resource, UserStore } from '../domain/stores.ts'
import type { Access } from './access.ts'
import { Conflict } from './failures.ts'
import { stillActive } from './still-active.ts'
import type { Tables } from './tables.ts'

const COLUMNS = ['id', 'email', 'name', 'picture', 'first_seen', 'last_seen'] as const

export function userStore(access: Access): UserStore {
  const users = (resource: Resource) =>
    access.read
      .selectFrom('users')
      .select(COLUMNS)
      .where('tenant_id', '=', resource.tenantId)
      .where('resource_id', '=', resource.id)

  /** For pages: the tenant is named by stillActive alone; see there. */
  const inOrder = (resource: Resource) =>
    access.read.selectFrom('users').select(COLUMNS).where('resource_id', '=', resource.id).where(stillActive(resource))

  return {
    async findBySubject(resource, issuer, subject) {
      const row = await users(resource).where('issuer', '=', issuer).where('subject', '=', subject).executeTakeFirst()
      return row === undefined ? null : userFrom(row)
    },

    async insert(resource, { issuer, subject, email, name, picture }, now) {
      const row = await access.write
        .insertInto('users')
        .values({
          tenant_id: resource.tenantId,
          resource_id: resource.id,
          issuer,
          subject,
          email,
          name,
          picture,
          first_seen: now,
          last_seen: now,
        })
        .onConflict((conflict) => conflict.columns(['resource_id', 'issuer', 'subject']).doNothing())
        .returning(COLUMNS)
        .executeTakeFirst()
      // The same person came in by two doors at once. Run again, the transaction finds them.
      if (row === undefined) throw new Conflict('this person was stored a moment ago')
      return userFrom(row)
    },

    async update(resource, userId, { email, name, picture }, now) {
      const row = await access.write
        .updateTable('users')
        .set({ email, name, picture, last_seen: now })
        .where('tenant_id', '=', resource.tenantId)
        .where('resource_id', '=', resource.id)
        .where('id', '=', userId)
        .returning(COLUMNS)
        .executeTakeFirstOrThrow()
      return userFrom(row)
    },

    async touch(resource, userId, now) {
      const row = await access.write
        .updateTable('users')
        .set({ last_seen: now })
        .where('tenant_id', '=', resource.tenantId)
        .where('resource_id', '=', resource.id)
        .where('id', '=', userId)
        .returning(COLUMNS)
        .executeTakeFirst()
      return row === undefined ? null : userFrom(row)
    },

    async find(resource, userId) {
      const row = await users(resource).where('id', '=', userId).where(stillActive(resource)).executeTakeFirst()
      return row === undefined ? null : userFrom(row)
    },

    async page(resource, after, limit) {
      const rows = await inOrder(resource).where('id', '>', after).orderBy('id').limit(limit).execute()
      return rows.map(userFrom)
    },

    async recent(resource, limit) {
      const rows = await inOrder(resource).orderBy('id', 'desc').limit(limit).execute()
      return rows.map(userFrom)
    },

    // The tenant is named by stillActive alone, so that counting needs no more than the index.
    async count(resource) {
      const { count } = await access.read
        .selectFrom('users')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('resource_id', '=', resource.id)
        .where(stillActive(resource))
        .executeTakeFirstOrThrow()
      return count
    },
  }
}

const userFrom = (row: Pick<Selectable<Tables['users']>, (typeof COLUMNS)[number]>): User => ({
  id: row.id,
  email: row.email,
  name: row.name,
  picture: row.picture,
  firstSeen: row.first_seen,
  lastSeen: row.last_seen,
})
