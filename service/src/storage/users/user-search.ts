import { asciiLowerCase } from '@gatehouse-auth/contract'
import { type RawBuilder, type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import type { Resource, UserFilter, UserOrder, UserQuery } from '../../domain/stores/stores.ts'
import {
  nameKey,
  type SeenUser,
  type User,
  type UserIdentity,
  type UserRecord,
} from '../../domain/users/user.ts'
import type { Access } from '../access.ts'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables/tables.ts'
import { claimsFrom, stillActive } from '../tenants/resources.ts'
import { LAST_SEEN } from './last-seen.ts'

/** The text of the index `users_by_email`, so that the planners use it. */
const EMAIL_KEY: Readonly<Record<Engine, RawBuilder<string>>> = {
  sqlite: sql`lower(email)`,
  postgres: sql`lower(email collate "C")`,
}

/** Sorts after every other character in UTF-8, which both engines compare byte by byte. */
const LAST_CHARACTER = '\u{10ffff}'

type Users = SelectQueryBuilder<Tables, 'users', object>

/** The users of a resource that match a filter, without columns. Names the tenant in `stillActive` only; see there. */
export function matchingUsers(access: Access, resource: Resource, filter: UserFilter): Users {
  const users = access.read
    .selectFrom('users')
    .where('resource_id', '=', resource.id)
    .where(stillActive(resource))
  if (filter.prefix === undefined) {
    return narrowed(access, users, filter)
  }
  return users.where('id', 'in', idsByPrefix(access, resource, filter.prefix, filter))
}

export function pageOfUsers(access: Access, resource: Resource, query: UserQuery): Users {
  const { after, limit, from = 0, order, prefix } = query
  if (order !== undefined) {
    return ORDERS[order](matchingUsers(access, resource, query))
      .limit(limit)
      .offset(after)
  }

  const page = pageById(query)
  if (prefix === undefined) {
    return matchingUsers(access, resource, query)
      .where('id', page.beyond, page.start)
      .where('id', '>=', from)
      .orderBy('id', page.direction)
      .limit(limit)
  }

  const ids = access.read
    .selectFrom(idsByPrefix(access, resource, prefix, query).as('matches'))
    .select('id')
    .where('id', page.beyond, page.start)
    .orderBy('id', page.direction)
    .limit(limit)
  return access.read
    .selectFrom('users')
    .where('resource_id', '=', resource.id)
    .where(stillActive(resource))
    .where('id', 'in', ids)
    .orderBy('id', page.direction)
    .limit(limit)
}

interface PageById {
  readonly beyond: '<' | '>'
  readonly direction: 'asc' | 'desc'
  readonly start: number
}

function pageById({ after, newestFirst = false }: UserQuery): PageById {
  if (!newestFirst) {
    return { beyond: '>', direction: 'asc', start: after }
  }
  const isFirstPage = after === 0
  return { beyond: '<', direction: 'desc', start: isFirstPage ? Number.MAX_SAFE_INTEGER : after }
}

/** The latest first; by name, users without a name last. */
const ORDERS: Readonly<Record<UserOrder, (users: Users) => Users>> = {
  'last-seen': (users) => users.orderBy(LAST_SEEN, 'desc').orderBy('id', 'desc'),
  'first-seen': (users) => users.orderBy('first_seen', 'desc').orderBy('id', 'desc'),
  name: (users) => users.orderBy(sql`name_key is null`).orderBy('name_key').orderBy('id'),
}

/**
 * A prefix is a range of each index. The ids of both are collected, sorted and limited before any user is read; otherwise a
 * planner may read the whole list in the order of ids to find a few matches.
 */
function idsByPrefix(access: Access, resource: Resource, prefix: string, filter: UserFilter) {
  const ofResource = access.read.selectFrom('users').where('resource_id', '=', resource.id)
  const users = narrowed(access, ofResource, filter)
  const startingWith = (key: RawBuilder<string>, start: string) =>
    users
      .where(key, '>=', start)
      .where(key, '<', start + LAST_CHARACTER)
      .select('id')

  const byEmail = startingWith(EMAIL_KEY[access.engine], asciiLowerCase(prefix))
  // The second condition is that of the partial index.
  const byName = startingWith(NAME_KEY, nameKey(prefix)).where('name_key', 'is not', null)
  return byEmail.union(byName)
}

const NAME_KEY = sql<string>`name_key`

function narrowed({ engine }: Access, found: Users, { email, part, blocked }: UserFilter): Users {
  let users = found
  if (part !== undefined) {
    users = users.where(containing(engine, part))
  }
  if (email !== undefined) {
    users = users.where(EMAIL_KEY[engine], '=', asciiLowerCase(email))
  }
  if (blocked !== undefined) {
    users = users.where('blocked_at', blocked ? 'is not' : 'is', null)
  }
  return users
}

/** `like` folds ASCII letters only, and reads a large list in two thirds of the CPU time of `instr` with `lower`. */
function containing(engine: Engine, part: string): RawBuilder<boolean> {
  if (engine === 'postgres') {
    return sql`(strpos(${EMAIL_KEY.postgres}, ${asciiLowerCase(part)}) > 0 or strpos(name_key, ${nameKey(part)}) > 0)`
  }
  const pattern = `%${part.replace(/[\\%_]/g, '\\$&')}%`
  return sql`(email like ${pattern} escape '\\' or instr(name_key, ${nameKey(part)}) > 0)`
}

export const USER_COLUMNS = ['id', 'email', 'name', 'picture', 'first_seen'] as const
/** What is shown of a user. */
export const SEEN_COLUMNS = [...USER_COLUMNS, LAST_SEEN.as('last_seen')] as const
const OWNER_COLUMNS = [
  'issuer',
  'subject',
  'blocked_at',
  'metadata',
  'claims',
  'browser_hash',
] as const

/** One statement reads a record, so that a concurrent link, removal or merge is in all of it or in nothing of it. */
export const recordColumns = (engine: Engine) =>
  [...SEEN_COLUMNS, ...OWNER_COLUMNS, identitiesOfUser(engine).as('identities')] as const

/** A JSON list of the rows of `identities`; null or empty for the users with one identity. */
function identitiesOfUser(engine: Engine): RawBuilder<string | null> {
  const fields = sql`'issuer', i.issuer, 'subject', i.subject, 'email', i.email, 'name', i.name, 'picture', i.picture,
    'pinned', i.pinned, 'last_seen', i.last_seen`
  const list = sql.raw(engine === 'sqlite' ? 'json_group_array' : 'json_agg')
  const object = sql.raw(engine === 'sqlite' ? 'json_object' : 'json_build_object')
  return sql`(select cast(${list}(${object}(${fields}) order by i.issuer, i.subject) as text) from identities i
    where i.resource_id = users.resource_id and i.user_id = users.id and i.tenant_id = users.tenant_id)`
}

type UserRow = Selectable<Tables['users']>
type SeenRow = Pick<UserRow, (typeof USER_COLUMNS)[number] | 'last_seen'>
type RecordRow = SeenRow &
  Pick<UserRow, (typeof OWNER_COLUMNS)[number]> & { readonly identities: string | null }
type IdentityRow = Omit<Selectable<Tables['identities']>, 'tenant_id' | 'resource_id' | 'user_id'>

export const userFrom = (row: Pick<UserRow, (typeof USER_COLUMNS)[number]>): User => ({
  id: row.id,
  email: row.email,
  name: row.name,
  picture: row.picture,
  firstSeen: row.first_seen,
})

export const seenFrom = (row: SeenRow): SeenUser => ({ ...userFrom(row), lastSeen: row.last_seen })

export function recordFrom(row: RecordRow): UserRecord {
  return {
    ...seenFrom(row),
    issuer: row.issuer,
    subject: row.subject,
    identities: identityRowsOf(row).map(identityFrom),
    blockedAt: row.blocked_at,
    metadata: row.metadata,
    claims: claimsFrom(row.claims),
    browserHash: row.browser_hash,
  }
}

/** The only identity of a user is in the row of the user. */
function identityRowsOf(row: RecordRow): IdentityRow[] {
  const several: IdentityRow[] = row.identities === null ? [] : JSON.parse(row.identities)
  return several.length === 0 ? [{ ...row, pinned: 0 }] : several
}

export const identityFrom = (row: IdentityRow): UserIdentity => ({
  issuer: row.issuer,
  subject: row.subject,
  email: row.email,
  name: row.name,
  picture: row.picture,
  pinned: row.pinned === 1,
  lastSeen: row.last_seen,
})
