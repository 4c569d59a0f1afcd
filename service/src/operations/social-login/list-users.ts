import { USERS_PAGE_MAX } from '@gatehouse/contract'
import type { User } from '../../domain/sessions/user.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireStanding } from '../../domain/tenants/tenant-access.ts'
import type { Context } from '../context.ts'
import { nextTurn } from '../next-turn.ts'
import { requireResource } from '../tenants/require-tenant.ts'

/**
 * Read this many at a time, so that a quarter of a million people never sit in memory at once. Whoever asks for a page
 * gets it in one piece, so that the first one tells whether there may be more.
 */
const PAGE = USERS_PAGE_MAX

/** Everybody, by ascending id, a page at a time. The first page is read before this resolves, so refusals come early. */
export async function listUsers(
  ctx: Context,
  tenant: Tenant,
  { after = 0, limit = Number.POSITIVE_INFINITY }: { after?: number | undefined; limit?: number | undefined },
): Promise<{ first: User[]; rest: AsyncIterable<User[]> }> {
  requireStanding(tenant, 'use', ctx.now())
  const stores = ctx.stores.on(tenant.profile)
  const resource = await requireResource(stores, tenant)
  const first = await stores.users.page(resource, after, Math.min(PAGE, limit))

  async function* rest(): AsyncGenerator<User[]> {
    let left = limit - first.length
    let page = first
    while (page.length === PAGE && left > 0) {
      await nextTurn()
      page = await stores.users.page(resource, page.at(-1)?.id ?? after, Math.min(PAGE, left))
      left -= page.length
      if (page.length > 0) yield page
    }
  }
  return { first, rest: rest() }
}
