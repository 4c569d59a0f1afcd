import type { ResourceId } from '../../domain/ids.ts'
import { userCharge } from '../../domain/limits/allowance.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import type { Context } from '../context.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'

/**
 * Small enough that nobody else waits noticeably. The rows of one tenant lie all over large tables: at a million, a
 * thousand of them would keep SQLite busy for 50 ms.
 */
const ROWS_AT_A_TIME = 250

/**
 * Removes a deleted resource's rows in small steps, each of its own, so that it can stop anywhere (a kill included)
 * and be continued by whoever comes next. Says whether it reached the end within `budget` rows.
 */
export async function purgeResource(
  ctx: Pick<Context, 'stores'>,
  tenant: Tenant,
  resourceId: ResourceId,
  budget: number,
): Promise<boolean> {
  for (let removed = 0; removed < budget; ) {
    const { rows } = await ctx.stores.transaction(async (stores) => {
      const step = await stores.resources.purge(tenant.id, resourceId, ROWS_AT_A_TIME)
      // Stored people are a gauge: those who are gone make room. Events that happened stay counted.
      if (step.users > 0) await stores.counters.release(userCharge(tenant).counter, step.users)
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
