import { INVITATIONS_KEPT_MS } from '../domain/login/invitation.ts'
import { LOGIN_CODES_KEPT_MS } from '../domain/login/login-code.ts'
import { REFUSALS_KEPT_MS } from '../domain/login/refusal.ts'
import { CONSENT_KEPT_MS } from '../domain/login/remembered-consent.ts'
import { RETIRED_KEPT_MS } from '../domain/providers/provider-client.ts'
import type { Resource, TransactionStores } from '../domain/stores/stores.ts'
import { AUDIT_KEPT_MS } from '../domain/tenants/audit.ts'
import { FEEDBACK_KEPT_MS } from '../domain/tenants/feedback.ts'
import type { Duration, Instant } from '../domain/time.ts'
import { DELIVERIES_KEPT_MS, MESSAGES_KEPT_MS } from '../domain/webhooks/webhook.ts'
import { meetRemovals } from './accounts/removals.ts'
import { recheckDomains } from './brand/domains.ts'
import type { Context } from './context.ts'
import { endTenant } from './tenants/end-tenant.ts'
import { purgeResource } from './tenants/purge-resource.ts'
import { yieldToEventLoop } from './yield-to-event-loop.ts'

/** Small batches keep other queries fast; see purge-resource.ts. */
const BATCH_ROWS = 250
/** Of one resource; the next sweep continues. */
const PURGE_ROWS_PER_SWEEP = 50_000
/** Of all resources with new or old events, in turn; the next sweep continues. A backlog must not keep the other rows from expiring. */
const HISTORY_STEPS_PER_SWEEP = 1_000
const DAY_MS = 24 * 3_600_000
/** A tombstone gives 410 for this long; after that the tenant is unknown (decision 13). */
const TOMBSTONE_MS = 30 * DAY_MS
/** Request records are limited by age and by number per tenant. */
const REQUEST_RECORDS_MS = 7 * DAY_MS
const REQUEST_RECORDS_KEPT = 1_000

/** A store that deletes expired rows, and returns how many of its limit it found. */
type SweptStore = {
  [Name in keyof TransactionStores]: TransactionStores[Name] extends {
    sweep(before: Instant, limit: number): Promise<number>
  }
    ? Name
    : never
}[keyof TransactionStores]

/** How long each store keeps its rows once they have expired. A store that gets a `sweep` does not compile without its line. */
const KEPT_MS: Readonly<Record<SweptStore, Duration>> = {
  sessions: 0,
  // Until then, the page of a login that expired leads back to the app.
  attempts: 3_600_000,
  loginCodes: LOGIN_CODES_KEPT_MS,
  consents: CONSENT_KEPT_MS,
  invitations: INVITATIONS_KEPT_MS,
  providerClients: RETIRED_KEPT_MS,
  edgeSessions: 0,
  // Past minutes and hours: an hour longer, because the clock of another instance may be behind.
  counters: 2 * 3_600_000,
  accountSessions: 0,
  accountSignIns: 0,
  meSessions: 0,
  oauthApprovals: 0,
  oauthTokens: 0,
  oauthGrants: 0,
  feedback: FEEDBACK_KEPT_MS,
  refusals: REFUSALS_KEPT_MS,
  audit: AUDIT_KEPT_MS,
  deliveryLog: DELIVERIES_KEPT_MS,
  userMessages: MESSAGES_KEPT_MS,
}

/**
 * Ends expired guest tenants, finishes interrupted deletions, and deletes expired rows. Every step is small and
 * idempotent, so it may stop anywhere, and several instances may sweep at the same time. One that fails stops no other.
 */
export async function sweep(ctx: Context): Promise<void> {
  const now = ctx.now()
  const { stores } = ctx
  const { events } = stores
  const failed: { readonly name: string; readonly cause: unknown }[] = []
  const step = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    await work().catch((cause: unknown) => failed.push({ name, cause }))
  }
  ctx.revocations.prune(now)
  await step('overdue tenants', () =>
    drain(async () => {
      const overdue = await stores.ownership.listOverdue(now, BATCH_ROWS)
      for (const tenant of overdue) {
        await endTenant(ctx, tenant, 'overdue')
      }
      return overdue.length
    }),
  )
  await step('deletions', async () => {
    for (const { id, tenantId } of await stores.resources.listDeleting(100)) {
      const tenant = await stores.tenants.find(tenantId)
      if (tenant !== null) {
        await step(`deletion ${id}`, () => purgeResource(ctx, tenant, id, PURGE_ROWS_PER_SWEEP))
      }
    }
  })
  await step('tallies', async () => {
    await drainInTurn(await events.listUntallied(100), (resource) =>
      events.tally(resource, BATCH_ROWS),
    )
  })
  await step('history', async () => {
    if (ctx.eventRetentionDays === null) {
      return
    }
    const before = now - ctx.eventRetentionDays * DAY_MS
    const older = await events.listOlder(before, 100)
    await drainInTurn(older, (resource) => events.removeOlder(resource, before, BATCH_ROWS))
  })
  await step('tombstones', () =>
    drain(async () => {
      const ended = await stores.ownership.listTombstones(now - TOMBSTONE_MS, BATCH_ROWS)
      for (const tenantId of ended) {
        await stores.ownership.purgeTenant(tenantId)
      }
      return ended.length
    }),
  )
  await step('removals', () => meetRemovals(ctx))
  for (const name of Object.keys(KEPT_MS) as SweptStore[]) {
    await step(name, () => drain(() => stores[name].sweep(now - KEPT_MS[name], BATCH_ROWS)))
  }
  await step('revocations', () => drain(() => stores.sweepRevocations(now, BATCH_ROWS)))
  const sweepRequests = () =>
    stores.requestRecords.sweep(now - REQUEST_RECORDS_MS, REQUEST_RECORDS_KEPT, BATCH_ROWS)
  await step('requests', () => drain(sweepRequests))
  // Last, because it waits for other servers.
  await step('domains', () => recheckDomains(ctx))
  const names = failed.map(({ name }) => name).join(', ')
  if (failed[0] !== undefined) {
    throw new Error(`the sweep failed at: ${names}`, { cause: failed[0].cause })
  }
}

/** Repeats a step until it finds less than a full batch, and yields to the event loop between steps. */
async function drain(step: () => Promise<number>): Promise<void> {
  while ((await step()) === BATCH_ROWS) {
    await yieldToEventLoop()
  }
}

/** One step of each resource, then one more of each that had a full batch, so that a large one keeps none waiting. */
async function drainInTurn(
  resources: readonly Resource[],
  step: (resource: Resource) => Promise<number>,
): Promise<void> {
  const waiting = [...resources]
  for (let steps = 0; steps < HISTORY_STEPS_PER_SWEEP; steps++) {
    const resource = waiting.shift()
    if (resource === undefined) {
      return
    }
    if ((await step(resource)) === BATCH_ROWS) {
      waiting.push(resource)
    }
    await yieldToEventLoop()
  }
}
