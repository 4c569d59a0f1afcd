import type { AuthEventKind } from '@gatehouse-auth/contract'
import { ApiError } from '../../domain/api-error.ts'
import type { NewAuthEvent } from '../../domain/events/auth-event.ts'
import {
  chargesFor,
  eventsLeft,
  exceedsLifetime,
  reached,
  type UserCharge,
  userCharge,
} from '../../domain/limits/allowance.ts'
import { OverLimit } from '../../domain/limits/over-limit.ts'
import { type Rate, rateOf } from '../../domain/limits/rate.ts'
import type { CounterStore, Resource, TransactionStores } from '../../domain/stores/stores.ts'
import { type Tenant, tenantPaused } from '../../domain/tenants/tenant.ts'
import { dayInWords } from '../../domain/time.ts'
import type { Context } from '../context.ts'
import { unlimitedHint } from './limit-requests.ts'

interface CountedEvent {
  readonly id: number
  /** null for events that no limit rejects. */
  readonly rate: Rate | null
}

/**
 * Counts one event in its own transaction and returns its id. Throws OverLimit, which rolls the transaction back. An event
 * that no limit rejects pauses a guest if it takes it past its lifetime limit (decision 13).
 */
export async function countAuthEvent(
  { unlimited }: Pick<Context, 'unlimited'>,
  stores: Pick<TransactionStores, 'eventCounts' | 'tenants'>,
  tenant: Tenant,
  kind: AuthEventKind,
  now: number,
): Promise<CountedEvent> {
  const charges = chargesFor(tenant, kind, now, unlimited)
  const { lifetime, minute, lastEventId } = await stores.eventCounts.add(charges)
  if (exceedsLifetime(tenant, lifetime, unlimited)) {
    await stores.tenants.pause(tenant.id, 'lifetime_events', now)
  }
  const left = eventsLeft(charges.minute, minute)
  return { id: lastEventId, rate: rateOf(charges.minute, left) }
}

/** Counts an event and appends it to the history. */
export async function recordAuthEvent(
  ctx: Pick<Context, 'unlimited'>,
  stores: Pick<TransactionStores, 'eventCounts' | 'tenants' | 'events'>,
  tenant: Tenant,
  resource: Resource,
  event: NewAuthEvent,
): Promise<Rate | null> {
  const { id, rate } = await countAuthEvent(ctx, stores, tenant, event.event, event.createdAt)
  await stores.events.append(resource, id, event)
  return rate
}

interface Consequences {
  readonly tenant: Tenant
  readonly resource: Resource
  readonly kind: AuthEventKind
  readonly now: number
}

/**
 * Counts and appends several events of a kind that no limit rejects. Without events it only locks the tenant's row,
 * which every sign-in and refresh of the tenant locks before it touches a user (`scopesOf`).
 */
export async function recordConsequences(
  { unlimited }: Pick<Context, 'unlimited'>,
  stores: Pick<TransactionStores, 'eventCounts' | 'tenants' | 'events'>,
  { tenant, resource, kind, now }: Consequences,
  events: readonly NewAuthEvent[],
): Promise<void> {
  const charges = chargesFor(tenant, kind, now, unlimited)
  const { lifetime, lastEventId } = await stores.eventCounts.add(charges, events.length)
  if (events.length === 0) {
    return
  }
  if (exceedsLifetime(tenant, lifetime, unlimited)) {
    await stores.tenants.pause(tenant.id, 'lifetime_events', now)
  }
  await stores.events.appendAll(resource, lastEventId - events.length + 1, events)
}

/** Throws OverLimit. */
export async function spendCharge(counters: CounterStore, charge: UserCharge): Promise<void> {
  const used = await counters.spend(charge.counter, 1, charge.limit)
  if (used === null) {
    throw new OverLimit(reached(charge, charge.limit))
  }
}

/**
 * Finds where users of the tenant are counted. Uses the current owner: a claim, which removes the guest's counter, may have
 * happened since `tenant` was read.
 */
export async function lockUserCharge(
  { tenants, counters }: Pick<TransactionStores, 'tenants' | 'counters'>,
  tenant: Tenant,
): Promise<UserCharge> {
  const charge = userCharge(tenant)
  if (tenant.owner !== null) {
    return charge
  }

  // Locks the counter: the claim waits for this transaction, or is committed and seen by the next statement.
  await counters.spend(charge.counter, 0, null)
  const current = await tenants.find(tenant.id)
  return userCharge(current ?? tenant)
}

/**
 * Returns the API error for an exceeded limit. A hard cap also pauses a guest tenant, in a statement of its own, because
 * the transaction that exceeded the cap was rolled back.
 */
export async function handleOverLimit(
  ctx: Pick<Context, 'stores' | 'directory' | 'now' | 'testProfile'>,
  tenant: Tenant,
  over: OverLimit,
): Promise<ApiError> {
  const reason = over.pauseReason
  if (reason === null) {
    return rateLimited(tenant, over, ctx)
  }
  await ctx.stores.tenants.pause(tenant.id, reason, ctx.now())
  ctx.directory.invalidate(tenant.id)
  return tenantPaused(reason, tenant.expiresAt)
}

function rateLimited(
  tenant: Tenant,
  over: OverLimit,
  ctx: Pick<Context, 'now' | 'testProfile'>,
): ApiError {
  const now = ctx.now()
  const { window, limit } = over
  const resetsAt = over.resetsAt ?? now
  const seconds = Math.max(1, Math.ceil((resetsAt - now) / 1_000))
  const wayOut =
    window === 'month' ? `It resets on ${dayInWords(resetsAt)}.` : `Try again in ${seconds} s.`
  const message = `${usedUpText(tenant, over)} ${wayOut}${unlimitedHint(ctx)}`
  return new ApiError('rateLimited', message, {
    details: { window, limit, left: 0 },
    retryAfterSeconds: seconds,
  })
}

function usedUpText(tenant: Tenant, { window, limit, isOfStarts }: OverLimit): string {
  const subject = tenant.owner === null ? 'This tenant' : 'The account that owns this tenant'
  if (isOfStarts) {
    return `${subject} has used its ${limit} login starts for this ${window}, half of its auth events.`
  }
  return `${subject} has used its ${limit} auth events for this ${window}.`
}
