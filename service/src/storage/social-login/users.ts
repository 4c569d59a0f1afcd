import type { Selectable } from 'kysely'
import type { Profile } from '../../domain/login/identity-provider.ts'
import type { User } from '../../domain/sessions/user.ts'
import type { Resource, UserStore } from '../../domain/stores/stores.ts'
import type { Access, TransactionAccess } from '../access.ts'
import { Conflict } from '../database-errors.ts'
import type { Slots } from '../slots.ts'
import { statement } from '../statement.ts'
import type { Tables } from '../tables.ts'
import { counterStore } from '../tenants/counters.ts'
import { type InResource, stillActive } from './resources.ts'

const COLUMNS = ['id', 'email', 'name', 'picture', 'first_seen', 'last_seen'] as const

const bySubject = statement(
  (db, { resource, issuer, subject }: Slots<InResource & Pick<Profile, 'issuer' | 'subject'>>) =>
    db
      .selectFrom('users')
      .select(COLUMNS)
      .where('tenant_id', '=', resource.tenantId)
      .where('resource_id', '=', resource.id)
      .where('issuer', '=', issuer)
      .where('subject', '=', subject),
)

interface Inserted extends InResource {
  readonly id: number
  readonly profile: Profile
  readonly now: number
}

const insert = statement((db, { resource, id, profile, now }: Slots<Inserted>) =>
  db
    .insertInto('users')
    .values({
      id,
      tenant_id: resource.tenantId,
      resource_id: resource.id,
      issuer: profile.issuer,
      subject: profile.subject,
      email: profile.email,
      name: profile.name,
      picture: profile.picture,
      first_seen: now,
      last_seen: now,
    })
    .onConflict((conflict) => conflict.columns(['resource_id', 'issuer', 'subject', 'tenant_id']).doNothing())
    .returning(COLUMNS),
)

const update = statement(
  (db, { resource, id, profile, now }: Slots<InResource & { id: number; profile: Profile; now: number }>) =>
    db
      .updateTable('users')
      .set({ email: profile.email, name: profile.name, picture: profile.picture, last_seen: now })
      .where('tenant_id', '=', resource.tenantId)
      .where('resource_id', '=', resource.id)
      .where('id', '=', id)
      .returning(COLUMNS),
)

export function userStore(access: Access): UserStore {
  /** Names the tenant in `stillActive` only; see there. */
  const activeUsers = (resource: Resource) =>
    access.read.selectFrom('users').select(COLUMNS).where('resource_id', '=', resource.id).where(stillActive(resource))

  return {
    async findBySubject(resource, issuer, subject) {
      const row = await bySubject.first(access.read, { resource, issuer, subject })
      return row === undefined ? null : userFrom(row)
    },

    insert: (resource, profile, now) =>
      access.inTransaction(async (open) => {
        const id = await nextUserId(open, resource)
        const row = await insert.first(open.write, { resource, id, profile, now })
        // A concurrent login inserted the same user. The transaction runs again and finds the row.
        if (row === undefined) throw new Conflict('a concurrent login inserted this user')
        return userFrom(row)
      }),

    async update(resource, userId, profile, now) {
      return userFrom(await update.one(access.write, { resource, id: userId, profile, now }))
    },

    async find(resource, userId) {
      const row = await access.read
        .selectFrom('users')
        .select(COLUMNS)
        .where('tenant_id', '=', resource.tenantId)
        .where('resource_id', '=', resource.id)
        .where('id', '=', userId)
        .where(stillActive(resource))
        .executeTakeFirst()
      return row === undefined ? null : userFrom(row)
    },

    async page(resource, after, limit) {
      const rows = await activeUsers(resource).where('id', '>', after).orderBy('id').limit(limit).execute()
      return rows.map(userFrom)
    },

    async recent(resource, limit) {
      const rows = await activeUsers(resource).orderBy('id', 'desc').limit(limit).execute()
      return rows.map(userFrom)
    },

    // Names the tenant in `stillActive` only, so that an index-only scan is enough.
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

/** The counter belongs to the tenant, not to the resource, so an id is not assigned again after a deletion. */
function nextUserId(access: TransactionAccess, { tenantId }: Resource): Promise<number> {
  return counterStore(access).nextId({ scope: `tenant:${tenantId}`, window: 'user-ids', start: 0 })
}

const userFrom = (row: Pick<Selectable<Tables['users']>, (typeof COLUMNS)[number]>): User => ({
  id: row.id,
  email: row.email,
  name: row.name,
  picture: row.picture,
  firstSeen: row.first_seen,
  lastSeen: row.last_seen,
})
