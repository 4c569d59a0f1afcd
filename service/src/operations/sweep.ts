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
/** Rows that a sweep deletes of one resource; the next sweep continues. */
const PURGE_ROWS_PER_SWEEP = 50_000
/**
 * Steps of a sweep for all resources with new or old events, in turn; the next sweep continues. A backlog must not keep the
 * other rows from expiring.
 */
const HISTORY_STEPS_PER_SWEEP = 1_000
/** Resources that a step of a sweep works on. */
const RESOURCES_PER_SWEEP = 100
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
  ctx.revocations.prune(now)

  const steps = new Steps()
  await steps.run('overdue tenants', () => drain(() => endOverdueTenants(ctx, now)))
  await steps.run('deletions', () => continueDeletions(ctx, steps))
  await steps.run('tallies', () => tallyEvents(ctx))
  await steps.run('history', () => removeOldEvents(ctx, now))
  await steps.run('tombstones', () => drain(() => purgeTombstones(ctx, now)))
  await steps.run('removals', () => meetRemovals(ctx))
  for (const name of Object.keys(KEPT_MS) as SweptStore[]) {
    const before = now - KEPT_MS[name]
    await steps.run(name, () => drain(() => stores[name].sweep(before, BATCH_ROWS)))
  }
  await steps.run('revocations', () => drain(() => stores.sweepRevocations(now, BATCH_ROWS)))
  await steps.run('requests', () => drain(() => sweepRequests(ctx, now)))
  // Last, because it waits for other servers.
  await steps.run('domains', () => recheckDomains(ctx))
  steps.throwFailures()
}

/** Runs every step, also after one that failed. */
class Steps {
  readonly #failed: { readonly name: string; readonly cause: unknown }[] = []

  async run(name: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (cause) {
      this.#failed.push({ name, cause })
    }
  }

  throwFailures(): void {
    const [first] = this.#failed
    if (first !== undefined) {
      const names = this.#failed.map(({ name }) => name).join(', ')
      throw new Error(`the sweep failed at: ${names}`, { cause: first.cause })
    }
  }
}

async function endOverdueTenants(ctx: Context, now: Instant): Promise<number> {
  const overdue = await ctx.stores.ownership.listOverdue(now, BATCH_ROWS)
  for (const tenant of overdue) {
    await endTenant(ctx, tenant, 'overdue')
  }
  return overdue.length
}

async function continueDeletions(ctx: Context, steps: Steps): Promise<void> {
  const deleting = await ctx.stores.resources.listDeleting(RESOURCES_PER_SWEEP)
  for (const { id, tenantId } of deleting) {
    const tenant = await ctx.stores.tenants.find(tenantId)
    if (tenant !== null) {
      await steps.run(`deletion ${id}`, () => purgeResource(ctx, tenant, id, PURGE_ROWS_PER_SWEEP))
    }
  }
}

async function tallyEvents({ stores }: Context): Promise<void> {
  const untallied = await stores.events.listUntallied(RESOURCES_PER_SWEEP)
  await drainInTurn(untallied, (resource) => stores.events.tally(resource, BATCH_ROWS))
}

async function removeOldEvents(
  { stores, eventRetentionDays }: Context,
  now: Instant,
): Promise<void> {
  if (eventRetentionDays === null) {
    return
  }
  const before = now - eventRetentionDays * DAY_MS
  const older = await stores.events.listOlder(before, RESOURCES_PER_SWEEP)
  await drainInTurn(older, (resource) => stores.events.removeOlder(resource, before, BATCH_ROWS))
}

async function purgeTombstones({ stores }: Context, now: Instant): Promise<number> {
  const ended = await stores.ownership.listTombstones(now - TOMBSTONE_MS, BATCH_ROWS)
  for (const tenantId of ended) {
    await stores.ownership.purgeTenant(tenantId)
  }
  return ended.length
}

function sweepRequests({ stores }: Context, now: Instant): Promise<number> {
  const before = now - REQUEST_RECORDS_MS
  return stores.requestRecords.sweep(before, REQUEST_RECORDS_KEPT, BATCH_ROWS)
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
