import { type Kysely, sql } from 'kysely'
import type { Identity } from '../../domain/accounts/person.ts'
import type { UserId } from '../../domain/ids.ts'
import type { Counter } from '../../domain/limits/counter.ts'
import type { Profile } from '../../domain/login/identity-provider.ts'
import type { IdentityStore, NewIdentity, Resource } from '../../domain/stores/stores.ts'
import { isSameIdentity, nameKey, type UserIdentity } from '../../domain/users/user.ts'
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
      const identities = await identitiesOf(access, resource, userId)
      const pinned = identities.find((each) => each.pinned)
      return pinned === undefined || isSameIdentity(pinned, profile) ? null : pinned
    },

    add: (resource, userId, identity) =>
      access.inTransaction((open) => addIdentity(open, resource, userId, identity)),

    remove: (resource, userId, identity) =>
      access.inTransaction((open) => removeIdentity(open, resource, userId, identity)),

    pin: (resource, userId, identity) =>
      access.inTransaction((open) => pinIdentity(open, resource, userId, identity)),

    lock: (resource, userIds) =>
      access.inTransaction(async (open) => {
        // In the order of ids, so that two merges of the same users cannot wait for each other.
        for (const id of userIds.toSorted((a, b) => a - b)) {
          await lockUser(open, resource, id)
        }
      }),

    move: (resource, from, into) =>
      access.inTransaction(async (open) => {
        await copyOwn(open, resource, from)
        await copyOwn(open, resource, into)
        await open.write
          .updateTable('identities')
          .set({ user_id: into, pinned: 0 })
          .where((eb) => eb.and({ ...inResource(resource), user_id: from }))
          .execute()
      }),
  }
}

/** false: the identity belongs to a user already. */
async function addIdentity(
  open: TransactionAccess,
  resource: Resource,
  userId: UserId,
  identity: NewIdentity,
): Promise<boolean> {
  // Spends nothing, but locks the counter: users and identities are added one after the other.
  await counterStore(open).spend(userIdsOf(resource), 0, null)
  const key = keyOf(resource, identity)
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
  await open.write
    .insertInto('identities')
    .values({
      ...key,
      user_id: userId,
      email: identity.email,
      name: identity.name,
      picture: identity.picture,
      pinned: 0,
      last_seen: identity.lastSeen,
    })
    .execute()
  return true
}

/** false: the user is unknown, does not have the identity, or has no other. */
async function removeIdentity(
  open: TransactionAccess,
  resource: Resource,
  userId: UserId,
  identity: Identity,
): Promise<boolean> {
  const { user, identities } = await lockUser(open, resource, userId)
  const left = identities.filter((each) => !isSameIdentity(each, identity))
  const shown = shownOf(left)
  if (user === undefined || shown === undefined || left.length === identities.length) {
    return false
  }

  // A last identity that is left is in the row of the user only.
  const removed = left.length === 1 ? identities : [identity]
  for (const each of removed) {
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
}

/** The identity whose profile is shown: the pinned one, or the one that signed in last. */
function shownOf(identities: readonly UserIdentity[]): UserIdentity | undefined {
  const pinned = identities.find((each) => each.pinned)
  if (pinned !== undefined) {
    return pinned
  }
  const [latest] = identities.toSorted((a, b) => b.lastSeen - a.lastSeen)
  return latest
}

/** `identity` null: pins none. false: the user has no several identities, or not this one. */
async function pinIdentity(
  open: TransactionAccess,
  resource: Resource,
  userId: UserId,
  identity: Identity | null,
): Promise<boolean> {
  const { identities } = await lockUser(open, resource, userId)
  const pinned =
    identity === null ? null : identities.find((each) => isSameIdentity(each, identity))
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
}

/** Deletes the logins in progress of an identity: an open consent page must not make a new user of it. */
export async function removeAttempts(
  { engine, write }: TransactionAccess,
  { tenantId }: Resource,
  { issuer, subject }: Identity,
): Promise<void> {
  const unfinished = write
    .selectFrom('login_attempts')
    .select('id')
    .where((eb) => eb.and({ tenant_id: tenantId, issuer, subject }))
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

/** Copies the only identity of a user, which becomes one of several. Does nothing for a user who has several. */
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
  const identities = await identitiesOf(open, resource, userId)
  return { user, identities }
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

async function identitiesOf(
  { read }: Access,
  resource: Resource,
  userId: UserId,
): Promise<UserIdentity[]> {
  const rows = await read
    .selectFrom('identities')
    .select(['issuer', 'subject', 'email', 'name', 'picture', 'pinned', 'last_seen'])
    .where((eb) => eb.and({ ...inResource(resource), user_id: userId }))
    .orderBy('issuer')
    .orderBy('subject')
    .execute()
  return rows.map(identityFrom)
}

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
