import type { User } from '../../domain/sessions/user.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import type { Context } from '../context.ts'
import { requireResource } from '../tenants/require-tenant.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'

/**
 * Read this many at a time, so that a quarter of a million people never sit in memory at once, and few enough that a
 * page, some 25 kB on the wire, is gone by the next collection: with 400 the process grew by 80 MB (docs/hot-path.md).
 */
const PAGE = 100

/**
 * Everybody, by ascending id, a page at a time. The first page is read before this resolves, so refusals come early.
 * Whoever sets a limit gets all they asked for in the first, so that it tells whether there may be more.
 */
export async function listUsers(
  ctx: Context,
  tenant: Tenant,
  { after = 0, limit }: { after?: number | undefined; limit?: number | undefined },
): Promise<{ first: User[]; rest: AsyncIterable<User[]> }> {
  requireTenantAccess(tenant, 'use', ctx.now())
  const { stores } = ctx
  const resource = await requireResource(stores, tenant)
  const first = await stores.users.page(resource, after, limit ?? PAGE)

  async function* rest(): AsyncGenerator<User[]> {
    if (limit !== undefined) return
    for (let page = first; page.length === PAGE; ) {
      await yieldToEventLoop()
      page = await stores.users.page(resource, page.at(-1)?.id ?? after, PAGE)
      if (page.length > 0) yield page
    }
  }
  return { first, rest: rest() }
}
