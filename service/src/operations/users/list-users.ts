import type { SeenUser, UserRecord } from '../../domain/sessions/user.ts'
import type { Resource, UserFilter, UserQuery } from '../../domain/stores/stores.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import type { Context } from '../context.ts'
import { requireResource } from '../tenants/require-tenant.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'

/**
 * Users per query, so that a list of 250,000 is never in memory as a whole. A page, some 25 kB on the wire, is freed by
 * the next minor collection; with 400 the process grew by 80 MB (docs/hot-path.md).
 */
const PAGE = 100

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
  /** Of all users that match, if it was asked for. */
  readonly total: number | null
}

/**
 * Lists users by ascending id, or descending if asked for, a page at a time. The first page is read before this resolves, so that errors come before
 * the response starts. With a limit, all users are in the first page, and `hasMore` tells whether there is another.
 */
export const listUsers = (ctx: Context, tenant: Tenant, query: ListUsers): Promise<ListedUsers<SeenUser>> =>
  list(ctx, tenant, query, (resource, page) => ctx.stores.users.page(resource, page))

/** The same, with everything that is stored about each user. */
export const listUserRecords = (ctx: Context, tenant: Tenant, query: ListUsers): Promise<ListedUsers<UserRecord>> =>
  list(ctx, tenant, query, (resource, page) => ctx.stores.users.records(resource, page))

async function list<T extends SeenUser>(
  ctx: Context,
  tenant: Tenant,
  { after = 0, limit, count = false, newestFirst, ...filter }: ListUsers,
  read: (resource: Resource, query: UserQuery) => Promise<T[]>,
): Promise<ListedUsers<T>> {
  requireTenantAccess(tenant, 'read', ctx.now())
  const { stores } = ctx
  const resource = await requireResource(stores, tenant)
  const total = count ? await stores.users.count(resource, filter) : null
  // A page of a search costs as much as all its matches, so without a limit it ends after one page.
  const most = limit ?? (filter.prefix === undefined ? null : PAGE)
  if (most !== null) {
    const users = await read(resource, { ...filter, after, limit: most + 1, newestFirst })
    return { first: users.slice(0, most), hasMore: users.length > most, rest: nothing(), total }
  }
  const first = await read(resource, { ...filter, after, limit: PAGE })

  async function* rest(): AsyncGenerator<T[]> {
    for (let page = first; page.length === PAGE; ) {
      await yieldToEventLoop()
      page = await read(resource, { ...filter, after: page.at(-1)?.id ?? after, limit: PAGE })
      if (page.length > 0) yield page
    }
  }
  return { first, hasMore: false, rest: rest(), total }
}

async function* nothing(): AsyncGenerator<never> {}
