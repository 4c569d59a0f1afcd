import type { Context } from './context.ts'
import { purgeResource } from './social-login/purge-resource.ts'
import { endTenant } from './tenants/end-tenant.ts'
import { yieldToEventLoop } from './yield-to-event-loop.ts'

/** Small enough that nobody else waits noticeably; see purge-resource.ts. */
const ROWS_AT_A_TIME = 250
const TENANTS_A_ROUND = 200
/** Of one deletion in one round; the next round goes on. */
const PURGE_ROWS_A_ROUND = 50_000
/** A tombstone answers 410 for this long; then the tenant is unknown (decision 13). */
const TOMBSTONE_MS = 30 * 24 * 3_600_000
/** Request records are bounded in age and in number. */
const REQUEST_RECORDS_MS = 7 * 24 * 3_600_000
const REQUEST_RECORDS_KEPT = 1_000
/** Counters of past minutes are kept for an hour, so that a clock that is a little behind still finds its own. */
const MINUTE_COUNTERS_MS = 3_600_000

/**
 * The clock's work, a round of it: end guests whose time has come, finish deletions that were cut short, drop what has
 * expired. Every step is small and repeatable, so it may stop anywhere, and two instances may do it at once.
 */
export async function sweep(ctx: Context): Promise<void> {
  const now = ctx.now()
  ctx.revocations.prune(now)
  for (const tenant of await ctx.stores.ownership.listOverdue(now, TENANTS_A_ROUND))
    await endTenant(ctx, tenant, 'overdue')
  for (const { id, tenantId } of await ctx.stores.resources.listDeleting(100)) {
    const tenant = await ctx.stores.tenants.find(tenantId)
    if (tenant !== null) await purgeResource(ctx, tenant, id, PURGE_ROWS_A_ROUND)
  }
  await drain(() => ctx.stores.sessions.sweep(now, ROWS_AT_A_TIME))
  const { events } = ctx.stores
  for (const resource of await events.listUntallied(100)) await drain(() => events.tally(resource, ROWS_AT_A_TIME))
  for (const tenantId of await ctx.stores.ownership.listTombstones(now - TOMBSTONE_MS, TENANTS_A_ROUND)) {
    await ctx.stores.ownership.purgeTenant(tenantId)
  }
  await drain(() => ctx.stores.attempts.sweep(now, ROWS_AT_A_TIME))
  await drain(() => ctx.stores.edgeSessions.sweep(now, ROWS_AT_A_TIME))
  await drain(() => ctx.stores.counters.sweep(now - MINUTE_COUNTERS_MS, ROWS_AT_A_TIME))
  await drain(() => ctx.stores.sweepRevocations(now, ROWS_AT_A_TIME))
  await drain(() => ctx.stores.accountSessions.sweep(now, ROWS_AT_A_TIME))
  await drain(() => ctx.stores.accountSignIns.sweep(now, ROWS_AT_A_TIME))
  await drain(() => ctx.stores.oauthApprovals.sweep(now, ROWS_AT_A_TIME))
  await drain(() => ctx.stores.oauthTokens.sweep(now, ROWS_AT_A_TIME))
  await drain(() => ctx.stores.oauthGrants.sweep(now, ROWS_AT_A_TIME))
  await drain(() => ctx.stores.requestRecords.sweep(now - REQUEST_RECORDS_MS, REQUEST_RECORDS_KEPT, ROWS_AT_A_TIME))
}

/** Between two steps everybody else has their turn. */
async function drain(step: () => Promise<number>): Promise<void> {
  while ((await step()) === ROWS_AT_A_TIME) await yieldToEventLoop()
}
