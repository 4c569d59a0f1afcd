import { type Kysely, sql, type UpdateQueryBuilder, type UpdateResult } from 'kysely'
import type { Identity } from '../../domain/accounts/person.ts'
import type { UserId } from '../../domain/ids.ts'
import type { Profile } from '../../domain/login/identity-provider.ts'
import type { Resource, UserStore } from '../../domain/stores/stores.ts'
import { type NewUser, nameKey, type User } from '../../domain/users/user.ts'
import type { Access, TransactionAccess } from '../access.ts'
import { Conflict } from '../database-errors.ts'
import { counterStore } from '../limits/counters.ts'
import type { Slots } from '../slots.ts'
import { statement } from '../statement.ts'
import type { Tables } from '../tables/tables.ts'
import { claimsText, type InResource, stillActive } from '../tenants/resources.ts'
import { removeAttempts, userIdsOf, usersByIdentity } from './identities.ts'
import {
  matchingUsers,
  pageOfUsers,
  recordColumns,
  recordFrom,
  SEEN_COLUMNS,
  seenFrom,
  USER_COLUMNS,
  userFrom,
} from './user-search.ts'

export function userStore(access: Access): UserStore {
  const one = (resource: Resource, userId: number) =>
    access.read
      .selectFrom('users')
      .where((eb) => eb.and({ tenant_id: resource.tenantId, resource_id: resource.id, id: userId }))
      .where(stillActive(resource))
  const columns = recordColumns(access.engine)

  return {
    async findBySubject(resource, issuer, subject) {
      const row = await bySubject.first(access.read, { resource, issuer, subject })
      if (row === undefined) {
        return null
      }
      return {
        ...userFrom(row),
        blockedAt: row.blocked_at,
        hasSeveralIdentities: row.several !== null,
      }
    },

    add: (resource, user) =>
      access.inTransaction(async (open) =>
        store(open, resource, await nextUserId(open, resource), user),
      ),

    insert: (resource, profile, now, browserHash = null, invited = {}) =>
      access.inTransaction(async (open) => {
        // The counter of ids stays locked until the transaction ends, so of two concurrent sign-ins one is the first.
        const id = await nextUserId(open, resource)
        const claims = await firstUserClaims(open, resource)
        return store(open, resource, id, {
          ...profile,
          firstSeen: now,
          lastSeen: now,
          blockedAt: null,
          metadata: null,
          claims: { ...claims, ...invited },
          browserHash,
        })
      }),

    async update(resource, id, profile, now, browserHash = null) {
      const row = await update.first(access.write, {
        resource,
        id,
        profile,
        key: keyOf(profile),
        now,
        browserHash,
      })
      if (row === undefined) {
        throw new Conflict('the owner blocked or deleted this user meanwhile')
      }
      return userFrom(row)
    },

    async find(resource, userId) {
      const row = await one(resource, userId).select(USER_COLUMNS).executeTakeFirst()
      return row === undefined ? null : userFrom(row)
    },

    async lockUnblocked(resource, id) {
      // SQLite needs no lock: a transaction is the only writer from its first statement on.
      const statement = access.engine === 'postgres' ? lockUnblocked : findUnblocked
      return statement.find(access.read, { resource, id }, userFrom)
    },

    async findRecord(resource, userId) {
      const row = await one(resource, userId).select(columns).executeTakeFirst()
      return row === undefined ? null : recordFrom(row)
    },

    async page(resource, query) {
      const page = pageOfUsers(access, resource, query)
      const rows = await page.select(SEEN_COLUMNS).execute()
      return rows.map(seenFrom)
    },

    async records(resource, query) {
      const page = pageOfUsers(access, resource, query)
      const rows = await page.select(columns).execute()
      return rows.map(recordFrom)
    },

    // Names the tenant in `stillActive` only, so that an index-only scan is enough.
    async count(resource, filter = {}, most) {
      const matching = matchingUsers(access, resource, filter).select('id')
      const counted = most === undefined ? matching : matching.limit(most)
      const { count } = await access.read
        .selectFrom(counted.as('counted'))
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return count
    },

    setBlocked: (resource, userId, blockedAt) =>
      isUpdated(updateOne(access, resource, userId).set({ blocked_at: blockedAt })),

    setMetadata(resource, userId, metadata, expected) {
      const change = updateOne(access, resource, userId).set({ metadata })
      if (expected === undefined) {
        return isUpdated(change)
      }
      const operator = expected === null ? 'is' : '='
      return isUpdated(change.where('metadata', operator, expected))
    },

    setClaims: (resource, userId, claims) =>
      isUpdated(updateOne(access, resource, userId).set({ claims: claimsText(claims) })),

    remove: (resource, userId) =>
      access.inTransaction((open) => removeUser(open, resource, userId)),
  }
}

/** One statement, which reads `identities` by its keys: a sign-in of a user with one identity needs no other. */
const bySubject = statement((db, { resource, issuer, subject }: Slots<InResource & Identity>) =>
  db
    .selectFrom('users')
    .select([...USER_COLUMNS, 'blocked_at'])
    .select((eb) =>
      eb
        .selectFrom('identities')
        .select('identities.user_id')
        .whereRef('identities.tenant_id', '=', 'users.tenant_id')
        .whereRef('identities.resource_id', '=', 'users.resource_id')
        .whereRef('identities.user_id', '=', 'users.id')
        .limit(sql.lit(1))
        .as('several'),
    )
    .where((eb) =>
      eb.and({ tenant_id: resource.tenantId, resource_id: resource.id, issuer, subject }),
    )
    .unionAll(
      usersByIdentity(db)
        .select([
          'id',
          'users.email',
          'users.name',
          'users.picture',
          'first_seen',
          'blocked_at',
          'user_id as several',
        ])
        .where('identities.tenant_id', '=', resource.tenantId)
        .where('identities.resource_id', '=', resource.id)
        .where('identities.issuer', '=', issuer)
        .where('identities.subject', '=', subject),
    )
    .limit(sql.lit(1)),
)

/** The counter belongs to the tenant, not to the resource, so an id is not assigned again after a deletion. */
function nextUserId(access: TransactionAccess, resource: Resource): Promise<number> {
  return counterStore(access).nextId(userIdsOf(resource))
}

/** The claims of a resource's first user; null: there are none, or the resource has users. */
async function firstUserClaims(
  { write }: TransactionAccess,
  resource: Resource,
): Promise<Resource['firstUserClaims']> {
  if (resource.firstUserClaims === null) {
    return null
  }
  const other = await anyUser.first(write, { resource })
  return other === undefined ? resource.firstUserClaims : null
}

type StoredUser = NewUser & { readonly browserHash?: string | null }

async function store(
  access: TransactionAccess,
  resource: Resource,
  id: number,
  user: StoredUser,
): Promise<User> {
  const row = await insert.first(access.write, {
    resource,
    id,
    user,
    key: keyOf(user),
    claims: claimsText(user.claims),
    browserHash: user.browserHash ?? null,
  })
  // A concurrent login inserted the same user, or a link added the identity to one. The transaction runs again and finds it.
  if (row === undefined || row.linked !== null) {
    throw new Conflict('a concurrent login inserted this user')
  }
  return userFrom(row)
}

const anyUser = statement((db, { resource }: Slots<InResource>) =>
  db
    .selectFrom('users')
    .select('id')
    .where((eb) => eb.and({ tenant_id: resource.tenantId, resource_id: resource.id }))
    .limit(1),
)

interface Inserted extends InResource {
  readonly id: number
  readonly user: NewUser
  readonly key: string | null
  readonly claims: string | null
  readonly browserHash: string | null
}

const insert = statement((db, { resource, id, user, key, claims, browserHash }: Slots<Inserted>) =>
  db
    .insertInto('users')
    .values({
      id,
      tenant_id: resource.tenantId,
      resource_id: resource.id,
      issuer: user.issuer,
      subject: user.subject,
      email: user.email,
      name: user.name,
      name_key: key,
      picture: user.picture,
      first_seen: user.firstSeen,
      last_seen: user.lastSeen,
      blocked_at: user.blockedAt,
      metadata: user.metadata,
      claims,
      browser_hash: browserHash,
    })
    .onConflict((conflict) =>
      conflict.columns(['resource_id', 'issuer', 'subject', 'tenant_id']).doNothing(),
    )
    .returning(USER_COLUMNS)
    // After `nextUserId`, whose lock an added identity waits for.
    .returning((eb) =>
      eb
        .selectFrom('identities')
        .select('user_id')
        .where('identities.tenant_id', '=', resource.tenantId)
        .where('identities.resource_id', '=', resource.id)
        .where('identities.issuer', '=', user.issuer)
        .where('identities.subject', '=', user.subject)
        .as('linked'),
    ),
)

const keyOf = ({ name }: Pick<Profile, 'name'>): string | null =>
  name === null ? null : nameKey(name)

interface Updated extends InResource {
  readonly id: number
  readonly profile: Profile
  readonly key: string | null
  readonly now: number
  readonly browserHash: string | null
}

const update = statement((db, { resource, id, profile, key, now, browserHash }: Slots<Updated>) =>
  db
    .updateTable('users')
    .set({
      email: profile.email,
      name: profile.name,
      name_key: key,
      picture: profile.picture,
      last_seen: now,
    })
    .set({ browser_hash: browserHash })
    .where((eb) => eb.and({ tenant_id: resource.tenantId, resource_id: resource.id, id }))
    .where('blocked_at', 'is', null)
    .returning(USER_COLUMNS),
)

interface OneUser extends InResource {
  readonly id: number
}

const unblocked = (db: Kysely<Tables>, { resource, id }: Slots<OneUser>) =>
  db
    .selectFrom('users')
    .select(USER_COLUMNS)
    .where((eb) => eb.and({ tenant_id: resource.tenantId, resource_id: resource.id, id }))
    .where('blocked_at', 'is', null)

const findUnblocked = statement((db, user: Slots<OneUser>) => unblocked(db, user))
const lockUnblocked = statement((db, user: Slots<OneUser>) => unblocked(db, user).forShare())

/** The owner's changes of a user. Each locks the user's row until the transaction ends, as a sign-in does. */
const updateOne = ({ write }: Access, resource: Resource, userId: UserId) =>
  write
    .updateTable('users')
    .where((eb) => eb.and({ tenant_id: resource.tenantId, resource_id: resource.id, id: userId }))

async function isUpdated(
  change: UpdateQueryBuilder<Tables, 'users', 'users', UpdateResult>,
): Promise<boolean> {
  const { numUpdatedRows } = await change.executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/**
 * Deletes a user with the unfinished logins, which contain the same profile, with the remembered consents, and with the
 * request to be removed, which is met.
 */
async function removeUser(
  open: TransactionAccess,
  resource: Resource,
  userId: UserId,
): Promise<boolean> {
  const { write } = open
  const removed = await write
    .deleteFrom('users')
    .where((eb) => eb.and({ tenant_id: resource.tenantId, resource_id: resource.id, id: userId }))
    .returning(['issuer', 'subject'])
    .executeTakeFirst()
  if (removed === undefined) {
    return false
  }
  const ofUser = { tenant_id: resource.tenantId, resource_id: resource.id, user_id: userId }
  const others = await write
    .deleteFrom('identities')
    .where((eb) => eb.and(ofUser))
    .returning(['issuer', 'subject'])
    .execute()
  for (const table of ['removal_requests', 'consents'] as const) {
    await write
      .deleteFrom(table)
      .where((eb) => eb.and(ofUser))
      .execute()
  }
  for (const identity of [removed, ...others]) {
    await removeAttempts(open, resource, identity)
  }
  return true
}
