import type { ResourceId, TenantId } from '../../domain/ids.ts'
import type { TransactionStores } from '../../domain/stores/stores.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import type { Instant } from '../../domain/time.ts'
import type { Context } from '../context.ts'
import { lockUserCharge } from '../limits/count-auth-event.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'

/**
 * Small batches keep other queries fast. The rows of one tenant are scattered over large tables: with a million rows,
 * deleting a thousand would block SQLite for 50 ms.
 */
const BATCH_ROWS = 250

/** Rows deleted before a response; the sweep deletes the rest. */
export const ROWS_BEFORE_RESPONSE = 10_000

/** Marks the social login of a tenant as deleted, and removes what was set up for it. Returns null if it has none. */
export async function markSocialLoginDeleted(
  stores: TransactionStores,
  tenantId: TenantId,
  now: Instant,
) {
  const resource = await stores.resources.markDeleted(tenantId, now)
  await stores.attempts.removeByTenant(tenantId)
  await stores.loginCodes.removeByTenant(tenantId)
  await stores.invitations.removeByTenant(tenantId)
  await stores.domains.removeByTenant(tenantId)
  await stores.brands.remove(tenantId)
  await stores.providerClients.removeByTenant(tenantId)
  // The endpoint of a former app must not receive the users of the next one.
  await stores.webhooks.removeByTenant(tenantId)
  await stores.refusals.removeByTenant(tenantId)
  return resource
}

/**
 * Deletes the rows of a deleted resource in small transactions, so that it can be interrupted anywhere, even by a kill,
 * and a later sweep can continue. Returns whether everything was deleted within `budget` rows.
 */
export async function purgeResource(
  ctx: Pick<Context, 'stores'>,
  tenant: Tenant,
  resourceId: ResourceId,
  budget: number,
): Promise<boolean> {
  let removed = 0
  while (removed < budget) {
    const { rows } = await ctx.stores.transaction(async (stores) => {
      const step = await stores.resources.purge(tenant.id, resourceId, BATCH_ROWS)
      // Stored users are a gauge: a deletion frees the limit. Counted events stay counted.
      if (step.users > 0) {
        const { counter } = await lockUserCharge(stores, tenant)
        await stores.counters.release(counter, step.users)
      }
      return step
    })
    if (rows === 0) {
      await ctx.stores.eraseDeleted()
      return true
    }
    removed += rows
    await yieldToEventLoop()
  }
  return false
}

/** How many rows of the tenant's deleted social login are left. They are unreadable; the sweep deletes them in steps. */
export const readDeletionProgress = (
  { stores }: Pick<Context, 'stores'>,
  { id }: Tenant,
): Promise<number> => stores.resources.countDeleting(id)
