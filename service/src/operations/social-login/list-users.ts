import type { User } from '../../domain/sessions/user.ts'
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

/**
 * Lists users by ascending id, a page at a time. The first page is read before this resolves, so that errors come before
 * the response starts. With a limit, all users are in the first page, and `hasMore` tells whether there is another.
 */
export async function listUsers(
  ctx: Context,
  tenant: Tenant,
  { after = 0, limit }: { after?: number | undefined; limit?: number | undefined },
): Promise<{ first: User[]; hasMore: boolean; rest: AsyncIterable<User[]> }> {
  requireTenantAccess(tenant, 'use', ctx.now())
  const { stores } = ctx
  const resource = await requireResource(stores, tenant)
  if (limit !== undefined) {
    const users = await stores.users.page(resource, after, limit + 1)
    return { first: users.slice(0, limit), hasMore: users.length > limit, rest: nothing() }
  }
  const first = await stores.users.page(resource, after, PAGE)

  async function* rest(): AsyncGenerator<User[]> {
    for (let page = first; page.length === PAGE; ) {
      await yieldToEventLoop()
      page = await stores.users.page(resource, page.at(-1)?.id ?? after, PAGE)
      if (page.length > 0) yield page
    }
  }
  return { first, hasMore: false, rest: rest() }
}

async function* nothing(): AsyncGenerator<never> {}
