import type { RuntimeProfile } from '@gatehouse/contract'
import type { Context } from '../context.ts'
import { purgeResource } from '../social-login/purge-resource.ts'

const ROWS_AT_A_TIME = 1_000
/** Of one deletion in one round; the next round goes on. */
const PURGE_ROWS_A_ROUND = 50_000
/** Counters of past minutes are kept for an hour, so that a clock that is a little behind still finds its own. */
const MINUTE_COUNTERS_MS = 3_600_000

/**
 * The clock's work, a round of it: finish deletions that were cut short, and drop what has expired. Every step is
 * small and repeatable, so it may stop anywhere, and two instances may do it at once.
 */
export async function sweep(ctx: Context, profiles: readonly RuntimeProfile[]): Promise<void> {
  const now = ctx.now()
  ctx.revocations.prune(now)
  for (const profile of profiles) {
    for (const { id, tenantId } of await ctx.stores.on(profile).resources.listDeleting(100)) {
      const tenant = await ctx.stores.tenants.find(tenantId)
      if (tenant !== null) await purgeResource(ctx, tenant, id, PURGE_ROWS_A_ROUND)
    }
    await drain(() => ctx.stores.on(profile).sessions.sweep(now, ROWS_AT_A_TIME))
  }
  await drain(() => ctx.stores.attempts.sweep(now, ROWS_AT_A_TIME))
  await drain(() => ctx.stores.edgeSessions.sweep(now, ROWS_AT_A_TIME))
  await drain(() => ctx.stores.counters.sweep(now - MINUTE_COUNTERS_MS, ROWS_AT_A_TIME))
  await drain(() => ctx.stores.sweepNotices(now, ROWS_AT_A_TIME))
}

async function drain(step: () => Promise<number>): Promise<void> {
  while ((await step()) === ROWS_AT_A_TIME);
}
