import { ApiError } from '../../domain/api-error.ts'
import type { UserId } from '../../domain/ids.ts'
import type {
  Resource,
  TransactionStores,
  UserFilter,
  UserOrder,
  UserQuery,
} from '../../domain/stores/stores.ts'
import type { Author } from '../../domain/tenants/audit.ts'
import { requireTenantAccess, type Tenant } from '../../domain/tenants/tenant.ts'
import type { SeenUser, User, UserRecord } from '../../domain/users/user.ts'
import type { Context } from '../context.ts'
import { recordAction } from '../tenants/audit.ts'
import { lockResource, requireResource } from '../tenants/require-tenant.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'

export async function getUser(
  ctx: Context,
  tenant: Tenant,
  userId: UserId | null,
): Promise<UserRecord> {
  requireTenantAccess(tenant, 'read', ctx.now())
  return requireUserRecord(ctx.stores, await requireResource(ctx.stores, tenant), userId)
}

type Users = Pick<TransactionStores, 'users'>

/** `userId` is null if the path has no number. */
export async function requireUser(
  { users }: Users,
  resource: Resource,
  userId: UserId | null,
): Promise<User> {
  const user = userId === null ? null : await users.find(resource, userId)
  if (user === null) {
    throw userNotFound()
  }
  return user
}

/** As `requireUser`, with everything that is stored. Reads all sessions of the user, so steps of 250 do without it. */
export async function requireUserRecord(
  { users }: Users,
  resource: Resource,
  userId: UserId | null,
): Promise<UserRecord> {
  const user = userId === null ? null : await users.findRecord(resource, userId)
  if (user === null) {
    throw userNotFound()
  }
  return user
}

export const userNotFound = (): ApiError =>
  new ApiError('userNotFound', 'This tenant has no user with this id.')

export interface ListUsers extends UserFilter {
  readonly after?: number | undefined
  readonly limit?: number | undefined
  readonly count?: boolean | undefined
  /** With a limit. */
  readonly newestFirst?: boolean | undefined
}

export interface ListedUsers<T extends SeenUser> {
  readonly first: T[]
  readonly hasMore: boolean
  readonly rest: AsyncIterable<T[]>
  /** How many users match, if it was asked for. */
  readonly total: number | null
}

/**
 * Lists users by ascending id, or descending if asked for, a page at a time. The first page is read before this resolves, so
 * that errors come before the response starts. With a limit, all users are in the first page, and `hasMore` tells whether
 * there is another.
 */
export function listUsers(
  ctx: Context,
  tenant: Tenant,
  query: ListUsers,
): Promise<ListedUsers<SeenUser>> {
  return list(ctx, tenant, query, (resource, page) => ctx.stores.users.page(resource, page))
}

/** As `listUsers`, with everything that is stored about each user. */
export function listUserRecords(
  ctx: Context,
  tenant: Tenant,
  query: ListUsers,
): Promise<ListedUsers<UserRecord>> {
  return list(ctx, tenant, query, (resource, page) => ctx.stores.users.records(resource, page))
}

/**
 * Users per query, so that a list of 250,000 is never in memory as a whole. A page, some 25 kB on the wire, is freed by
 * the next minor collection; with 400 the process grew by 80 MB (docs/hot-path.md).
 */
const PAGE = 100

type ReadUsers<T> = (resource: Resource, query: UserQuery) => Promise<T[]>

async function list<T extends SeenUser>(
  ctx: Context,
  tenant: Tenant,
  { after = 0, limit, count = false, newestFirst, ...filter }: ListUsers,
  read: ReadUsers<T>,
): Promise<ListedUsers<T>> {
  requireTenantAccess(tenant, 'read', ctx.now())
  const resource = await requireResource(ctx.stores, tenant)
  const total = count ? await ctx.stores.users.count(resource, filter) : null

  // A page of a search costs as much as all its matches, so without a limit it ends after one page.
  const isSearch = filter.prefix !== undefined
  const most = limit ?? (isSearch ? PAGE : null)
  if (most === null) {
    const first = await read(resource, { ...filter, after, limit: PAGE })
    return { first, hasMore: false, rest: pagesAfter(first, resource, filter, read), total }
  }

  // One more than requested, to know whether there is another page.
  const users = await read(resource, { ...filter, after, limit: most + 1, newestFirst })
  return { first: users.slice(0, most), hasMore: users.length > most, rest: nothing(), total }
}

async function* pagesAfter<T extends SeenUser>(
  first: T[],
  resource: Resource,
  filter: UserFilter,
  read: ReadUsers<T>,
): AsyncGenerator<T[]> {
  let last = first.at(-1)
  let isFull = first.length === PAGE
  while (isFull && last !== undefined) {
    await yieldToEventLoop()
    const page = await read(resource, { ...filter, after: last.id, limit: PAGE })
    if (page.length > 0) {
      yield page
    }
    last = page.at(-1)
    isFull = page.length === PAGE
  }
}

async function* nothing(): AsyncGenerator<never> {}

interface SearchLimits {
  /** One statement can search and sort so many users. */
  readonly sortable: number
  /**
   * How many ids a statement reads in a larger list: some 8 ms of CPU, so that other requests run in between
   * (docs/hot-path.md).
   */
  readonly span: number
}

const SEARCH_LIMITS: SearchLimits = { sortable: 10_000, span: 20_000 }

interface UserSearch extends Pick<UserFilter, 'part' | 'blocked'> {
  /** undefined: the newest first. */
  readonly order: UserOrder | undefined
  /** The last user of the previous page; with an order, how many come before this page. */
  readonly after: number
  readonly limit: number
}

interface FoundUsers {
  readonly users: readonly UserRecord[]
  readonly hasMore: boolean
  /** null: not counted. */
  readonly total: number | null
  /** Whether an order has an effect. */
  readonly isSortable: boolean
}

/** For the console: by any part of name or address, in any order as long as the list is short enough. */
export async function searchUsers(
  ctx: Context,
  tenant: Tenant,
  search: UserSearch,
  { sortable, span }: SearchLimits = SEARCH_LIMITS,
): Promise<FoundUsers> {
  requireTenantAccess(tenant, 'read', ctx.now())
  const { users } = ctx.stores
  const resource = await requireResource(ctx.stores, tenant)
  const { part, blocked, limit } = search
  const isFiltered = part !== undefined || blocked !== undefined

  // With a filter, only whether the list is short enough to be sorted.
  const stored = await users.count(resource, {}, isFiltered ? sortable + 1 : undefined)
  const isSortable = stored <= sortable
  const found = isSortable
    ? await users.records(resource, { ...search, limit: limit + 1, newestFirst: true })
    : await searchSpans(ctx, resource, search, span)

  let total: number | null = stored
  if (isFiltered) {
    total = isSortable ? await users.count(resource, { part, blocked }) : null
  }
  return { users: found.slice(0, limit), hasMore: found.length > limit, total, isSortable }
}

/** One more than the limit, if there are so many. Blocked users have an index of their own. */
async function searchSpans(
  { stores }: Context,
  resource: Resource,
  { part, blocked, after, limit }: UserSearch,
  span: number,
): Promise<UserRecord[]> {
  const { users } = stores
  const found: UserRecord[] = []
  for (let below = after; found.length <= limit; ) {
    // Ids have gaps: the next span begins at the next user.
    const [newest] = await users.page(resource, { after: below, limit: 1, newestFirst: true })
    if (newest === undefined) {
      break
    }

    const from = Math.max(1, newest.id + 1 - span)
    const matches = await users.records(resource, {
      part,
      blocked,
      after: newest.id + 1,
      from,
      limit: limit + 1 - found.length,
      newestFirst: true,
    })
    found.push(...matches)
    below = from
    await yieldToEventLoop()
  }
  return found
}

/** Lists everything that is stored about every user. Audited before the first byte: it reads all personal data at once. */
export async function exportUsers(
  ctx: Context,
  tenant: Tenant,
  author: Author,
): Promise<ListedUsers<UserRecord>> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'read', now)
  await ctx.stores.transaction(async (stores) => {
    await lockResource(stores, tenant)
    await recordAction(stores, { tenantId: tenant.id, author, action: 'users.exported', at: now })
  })
  return listUserRecords(ctx, tenant, {})
}

interface MetadataChange {
  /** JSON. */
  readonly metadata: string
  /** Whether the stored metadata is the one that the caller read (If-Match); null: any is. */
  readonly isExpected: ((current: string | null) => boolean) | null
}

/** Replaces the metadata of a user. Of two concurrent calls that expect the same metadata, the second is rejected. */
export async function replaceUserMetadata(
  ctx: Context,
  tenant: Tenant,
  userId: UserId | null,
  { metadata, isExpected }: MetadataChange,
  author: Author,
): Promise<void> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'use', now)
  await ctx.stores.transaction(async (stores) => {
    const resource = await lockResource(stores, tenant)
    const user = await requireUserRecord(stores, resource, userId)
    if (isExpected !== null && !isExpected(user.metadata)) {
      throw metadataChanged()
    }

    await recordAction(stores, {
      tenantId: tenant.id,
      author,
      action: 'user.metadata_changed',
      target: `user:${user.id}`,
      at: now,
    })
    const expected = isExpected === null ? undefined : user.metadata
    const isSet = await stores.users.setMetadata(resource, user.id, metadata, expected)
    if (!isSet) {
      throw isExpected === null ? userNotFound() : metadataChanged()
    }
  })
}

const metadataChanged = (): ApiError =>
  new ApiError(
    'metadataChanged',
    'The metadata was changed since you read it. Read it again, and send your change.',
  )
