import { type Kysely, sql } from 'kysely'
import type { Identity } from '../../domain/accounts/person.ts'
import type { UserId } from '../../domain/ids.ts'
import type { Counter } from '../../domain/limits/counter.ts'
import type { Profile } from '../../domain/login/identity-provider.ts'
import type { IdentityStore, Resource } from '../../domain/stores/stores.ts'
import { isSameIdentity, nameKey } from '../../domain/users/user.ts'
import type { Access, TransactionAccess } from '../access.ts'
import { counterStore } from '../limits/counters.ts'
import type { Tables } from '../tables/tables.ts'
import { identityFrom } from './user-search.ts'

/** A user with one identity has it in the row of `users` and no row here, so that a sign-in reads and writes nothing more. */
export function identityStore(access: Access): IdentityStore {
  return {
    async signIn(resource, userId, profile, now) {
      const { email, name, picture } = profile
      await one(access, resource, profile).set({ email, name, picture, last_seen: now }).execute()
      const pinned = (await identitiesOf(access, resource, userId))
        .map(identityFrom)
        .find((each) => each.pinned)
      return pinned === undefined || isSameIdentity(pinned, profile) ? null : pinned
    },

    add: (resource, userId, { issuer, subject, email, name, picture, lastSeen }) =>
      access.inTransaction(async (open) => {
        await counterStore(open).spend(userIdsOf(resource), 0, null)
        const key = keyOf(resource, { issuer, subject })
        for (const table of ['users', 'identities'] as const) {
          const taken = await open.read
            .selectFrom(table)
            .select('subject')
            .where((eb) => eb.and(key))
            .executeTakeFirst()
          if (taken !== undefined) {
            return false
          }
        }
        await copyOwn(open, resource, userId)
        const row = {
          ...key,
          user_id: userId,
          email,
          name,
          picture,
          pinned: 0,
          last_seen: lastSeen,
        }
        await open.write.insertInto('identities').values(row).execute()
        return true
      }),

    remove: (resource, userId, identity) =>
      access.inTransaction(async (open) => {
        const { user, identities } = await lockUser(open, resource, userId)
        const left = identities.filter((each) => !isSameIdentity(each, identity))
        const shown =
          left.find(({ pinned }) => pinned) ?? left.toSorted((a, b) => b.lastSeen - a.lastSeen)[0]
        if (user === undefined || shown === undefined || left.length === identities.length) {
          return false
        }
        // The last one is in the row of the user only.
        for (const each of left.length === 1 ? identities : [identity]) {
          await open.write
            .deleteFrom('identities')
            .where((eb) => eb.and(keyOf(resource, each)))
            .execute()
        }
        await removeAttempts(open, resource, identity)
        const { issuer, subject } = isSameIdentity(user, identity) ? shown : user
        await rowOf(open, resource, userId)
          .set({ ...shownAs(shown), issuer, subject })
          .execute()
        return true
      }),

    pin: (resource, userId, identity) =>
      access.inTransaction(async (open) => {
        const { identities } = await lockUser(open, resource, userId)
        const pinned = identity && identities.find((each) => isSameIdentity(each, identity))
        if (pinned === undefined || identities.length === 0) {
          return false
        }
        for (const each of identities) {
          await one(open, resource, each)
            .set({ pinned: each === pinned ? 1 : 0 })
            .execute()
        }
        if (pinned !== null) {
          await rowOf(open, resource, userId).set(shownAs(pinned)).execute()
        }
        return true
      }),

    lock: (resource, userIds) =>
      access.inTransaction(async (open) => {
        // In the order of ids, so that two merges of the same users cannot wait for each other.
        for (const id of userIds.toSorted((a, b) => a - b)) {
          await lockUser(open, resource, id)
        }
      }),

    move: (resource, from, into) =>
      access.inTransaction(async (open) => {
        for (const id of [from, into]) {
          await copyOwn(open, resource, id)
        }
        const moved = { ...inResource(resource), user_id: from }
        await open.write
          .updateTable('identities')
          .set({ user_id: into, pinned: 0 })
          .where((eb) => eb.and(moved))
          .execute()
      }),
  }
}

/** The logins in progress of an identity: an open consent page must not make a new user of it. */
export async function removeAttempts(
  { engine, write }: TransactionAccess,
  { tenantId }: Resource,
  of: Identity,
) {
  const unfinished = write
    .selectFrom('login_attempts')
    .select('id')
    .where((eb) => eb.and({ tenant_id: tenantId, issuer: of.issuer, subject: of.subject }))
  // The consent that has locked one waits for this transaction, and then stores a new user.
  const ids = engine === 'postgres' ? unfinished.forUpdate().skipLocked() : unfinished
  await write
    .deleteFrom('login_attempts')
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', ids)
    .execute()
}

/** Numbers the users of a tenant. Its lock orders the users and identities that are added to the tenant. */
export const userIdsOf = ({ tenantId }: Pick<Resource, 'tenantId'>): Counter => ({
  scope: `tenant:${tenantId}`,
  window: 'user-ids',
  start: 0,
})

const inResource = ({ tenantId, id }: Resource) => ({ tenant_id: tenantId, resource_id: id })
const keyOf = (resource: Resource, { issuer, subject }: Identity) => ({
  ...inResource(resource),
  issuer,
  subject,
})

/** The user's only identity becomes one of several. Does nothing for a user who has several. */
async function copyOwn(
  { write }: TransactionAccess,
  resource: Resource,
  userId: UserId,
): Promise<void> {
  await write
    .insertInto('identities')
    .columns([...KEY, 'user_id', 'email', 'name', 'picture', 'pinned', 'last_seen'])
    .expression((eb) =>
      eb
        .selectFrom('users')
        .select([...KEY, 'id', 'email', 'name', 'picture', sql.lit(0).as('pinned'), 'last_seen'])
        .where(eb.and({ ...inResource(resource), id: userId })),
    )
    .onConflict((conflict) => conflict.columns(KEY).doNothing())
    .execute()
}

const KEY = ['resource_id', 'issuer', 'subject', 'tenant_id'] as const

async function lockUser(open: TransactionAccess, resource: Resource, userId: UserId) {
  // An update that changes nothing is a row lock on both engines.
  const user = await rowOf(open, resource, userId)
    .set((eb) => ({ last_seen: eb.ref('last_seen') }))
    .returning(['issuer', 'subject'])
    .executeTakeFirst()
  return { user, identities: (await identitiesOf(open, resource, userId)).map(identityFrom) }
}

const rowOf = ({ write }: Access, resource: Resource, id: UserId) =>
  write.updateTable('users').where((eb) => eb.and({ ...inResource(resource), id }))

const one = ({ write }: Access, resource: Resource, identity: Identity) =>
  write.updateTable('identities').where((eb) => eb.and(keyOf(resource, identity)))

const shownAs = ({ email, name, picture }: Profile) => ({
  email,
  name,
  name_key: name === null ? null : nameKey(name),
  picture,
})

const identitiesOf = ({ read }: Access, resource: Resource, userId: UserId) =>
  read
    .selectFrom('identities')
    .select(['issuer', 'subject', 'email', 'name', 'picture', 'pinned', 'last_seen'])
    .where((eb) => eb.and({ ...inResource(resource), user_id: userId }))
    .orderBy('issuer')
    .orderBy('subject')
    .execute()

/** Users by their identities, without those who have one. */
export const usersByIdentity = (db: Kysely<Tables>) =>
  db
    .selectFrom('identities')
    .innerJoin('users', (join) =>
      join
        .onRef('users.resource_id', '=', 'identities.resource_id')
        .onRef('users.id', '=', 'identities.user_id')
        .onRef('users.tenant_id', '=', 'identities.tenant_id'),
    )
