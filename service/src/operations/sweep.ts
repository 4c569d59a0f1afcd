import { AUDIT_KEPT_MS } from '../domain/audit.ts'
import { LOGIN_CODES_KEPT_MS } from '../domain/login/login-code.ts'
import { CONSENT_KEPT_MS } from '../domain/login/remembered-consent.ts'
import { RETIRED_KEPT_MS } from '../domain/providers/provider-client.ts'
import { REFUSALS_KEPT_MS } from '../domain/refusal.ts'
import { FEEDBACK_KEPT_MS } from '../domain/tenants/feedback.ts'
import { DELIVERIES_KEPT_MS } from '../domain/webhooks/webhook.ts'
import { recheckDomains } from './brand/domains.ts'
import type { Context } from './context.ts'
import { meetRemovals } from './me/removals.ts'
import { purgeResource } from './social-login/purge-resource.ts'
import { endTenant } from './tenants/end-tenant.ts'
import { yieldToEventLoop } from './yield-to-event-loop.ts'

/** Small batches keep other queries fast; see purge-resource.ts. */
const BATCH_ROWS = 250
const TENANTS_PER_SWEEP = 200
/** Of one resource; the next sweep continues. */
const PURGE_ROWS_PER_SWEEP = 50_000
/** A tombstone gives 410 for this long; after that the tenant is unknown (decision 13). */
const TOMBSTONE_MS = 30 * 24 * 3_600_000
/** Request records are limited by age and by number per tenant. */
const REQUEST_RECORDS_MS = 7 * 24 * 3_600_000
const REQUEST_RECORDS_KEPT = 1_000
/** Counters of past minutes and hours are kept for an hour longer, because the clock of another instance may be behind. */
const COUNTERS_MS = 2 * 3_600_000

/**
 * Ends expired guest tenants, finishes interrupted deletions, and deletes expired rows. Every step is small and
 * idempotent, so it may stop anywhere, and several instances may sweep at the same time.
 */
export async function sweep(ctx: Context): Promise<void> {
  const now = ctx.now()
  ctx.revocations.prune(now)
  for (const tenant of await ctx.stores.ownership.listOverdue(now, TENANTS_PER_SWEEP))
    await endTenant(ctx, tenant, 'overdue')
  for (const { id, tenantId } of await ctx.stores.resources.listDeleting(100)) {
    const tenant = await ctx.stores.tenants.find(tenantId)
    if (tenant !== null) await purgeResource(ctx, tenant, id, PURGE_ROWS_PER_SWEEP)
  }
  await drain(() => ctx.stores.sessions.sweep(now, BATCH_ROWS))
  const { events } = ctx.stores
  for (const resource of await events.listUntallied(100)) await drain(() => events.tally(resource, BATCH_ROWS))
  for (const tenantId of await ctx.stores.ownership.listTombstones(now - TOMBSTONE_MS, TENANTS_PER_SWEEP)) {
    await ctx.stores.ownership.purgeTenant(tenantId)
  }
  await meetRemovals(ctx)
  await drain(() => ctx.stores.attempts.sweep(now, BATCH_ROWS))
  await drain(() => ctx.stores.loginCodes.sweep(now - LOGIN_CODES_KEPT_MS, BATCH_ROWS))
  await drain(() => ctx.stores.consents.sweep(now - CONSENT_KEPT_MS, BATCH_ROWS))
  await drain(() => ctx.stores.providerClients.sweep(now - RETIRED_KEPT_MS, BATCH_ROWS))
  await drain(() => ctx.stores.edgeSessions.sweep(now, BATCH_ROWS))
  await drain(() => ctx.stores.counters.sweep(now - COUNTERS_MS, BATCH_ROWS))
  await drain(() => ctx.stores.sweepRevocations(now, BATCH_ROWS))
  await drain(() => ctx.stores.accountSessions.sweep(now, BATCH_ROWS))
  await drain(() => ctx.stores.accountSignIns.sweep(now, BATCH_ROWS))
  await drain(() => ctx.stores.meSessions.sweep(now, BATCH_ROWS))
  await drain(() => ctx.stores.oauthApprovals.sweep(now, BATCH_ROWS))
  await drain(() => ctx.stores.oauthTokens.sweep(now, BATCH_ROWS))
  await drain(() => ctx.stores.oauthGrants.sweep(now, BATCH_ROWS))
  await drain(() => ctx.stores.feedback.sweep(now - FEEDBACK_KEPT_MS, BATCH_ROWS))
  await drain(() => ctx.stores.refusals.sweep(now - REFUSALS_KEPT_MS, BATCH_ROWS))
  await drain(() => ctx.stores.audit.sweep(now - AUDIT_KEPT_MS, BATCH_ROWS))
  await drain(() => ctx.stores.deliveryLog.sweep(now - DELIVERIES_KEPT_MS, BATCH_ROWS))
  await drain(() => ctx.stores.requestRecords.sweep(now - REQUEST_RECORDS_MS, REQUEST_RECORDS_KEPT, BATCH_ROWS))
  // Last, because it waits for other servers.
  await recheckDomains(ctx)
}

/** Repeats a step until it finds less than a full batch, and yields to the event loop between steps. */
async function drain(step: () => Promise<number>): Promise<void> {
  while ((await step()) === BATCH_ROWS) await yieldToEventLoop()
}
