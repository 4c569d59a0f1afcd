import { loggedOut } from '../../domain/events/auth-event.ts'
import type { UserId } from '../../domain/ids.ts'
import type { Resource, TransactionStores } from '../../domain/stores/stores.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import type { User } from '../../domain/users/user.ts'
import type { Context } from '../context.ts'
import { recordConsequences } from '../limits/count-auth-event.ts'
import { recordAction } from '../tenants/audit.ts'
import { OPERATOR } from '../tenants/operator.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'

/** Few enough that one transaction delays no other query noticeably; see ../tenants/purge-resource.ts. */
const SESSIONS_PER_TRANSACTION = 250

/**
 * Ends every session of a tenant's users, who may sign in again, in small transactions, and their one-time codes. Returns how
 * many. Sessions that start meanwhile stay: a suspension prevents them.
 */
export async function endTenantSessions(
  ctx: Pick<Context, 'stores' | 'now' | 'unlimited'>,
  tenant: Tenant,
  progress: (ended: number) => void = () => {},
): Promise<number> {
  const at = ctx.now()
  const resource = await ctx.stores.resources.findActive(tenant.id)
  if (resource === null) {
    return 0
  }

  await ctx.stores.transaction(async (stores) => {
    // They must not open another one.
    await stores.loginCodes.removeByTenant(tenant.id)
    await recordAction(stores, {
      tenantId: tenant.id,
      author: OPERATOR,
      action: 'tenant.sessions_ended',
      at,
    })
  })

  let total = 0
  for (;;) {
    const ended = await ctx.stores.transaction((stores) =>
      endSome(ctx, stores, tenant, resource, at),
    )
    total += ended
    progress(total)

    if (ended < SESSIONS_PER_TRANSACTION) {
      return total
    }
    await yieldToEventLoop()
  }
}

async function endSome(
  ctx: Pick<Context, 'unlimited'>,
  stores: TransactionStores,
  tenant: Tenant,
  { tenantId }: Resource,
  now: number,
): Promise<number> {
  const resource = await stores.resources.lockActive(tenantId)
  if (resource === null) {
    return 0
  }

  const userIds = await stores.sessions.endOldest(resource, now, SESSIONS_PER_TRANSACTION)
  const users = new Map<UserId, User | null>()
  for (const id of userIds) {
    if (!users.has(id)) {
      users.set(id, await stores.users.find(resource, id))
    }
  }

  const events = userIds.map((id) => loggedOut(users.get(id) ?? null, 'operator', now))
  await recordConsequences(ctx, stores, { tenant, resource, kind: 'logout', now }, events)
  return userIds.length
}
