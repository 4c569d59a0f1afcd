import type { AuthEventKind } from '@gatehouse/contract'
import type { NewAuthEvent } from '../../domain/events/auth-event.ts'
import { type Charge, chargesFor, exceedsLifetime, orderedCharges } from '../../domain/limits/allowance.ts'
import type { Count } from '../../domain/limits/counter.ts'
import { OverLimit } from '../../domain/limits/over-limit.ts'
import { type Rate, rateLeft } from '../../domain/limits/rate.ts'
import type { CounterStore, Resource, TransactionStores } from '../../domain/stores/stores.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import type { Context } from '../context.ts'

export interface CountedEvent {
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
  stores: Pick<TransactionStores, 'counters' | 'tenants'>,
  tenant: Tenant,
  kind: AuthEventKind,
  now: number,
): Promise<CountedEvent> {
  const charges = chargesFor(tenant, kind, now, unlimited)
  const counts = new Map<Charge, Count>()
  const ordered = orderedCharges(charges)
  for (const [at, count] of (await stores.counters.spendEach(ordered)).entries()) {
    const charge = ordered[at] as Charge
    if (count === null) throw new OverLimit(charge)
    counts.set(charge, count)
  }
  const usedOf = (charge: Charge): number => {
    const count = counts.get(charge)
    return (charge.authenticated ? count?.authenticated : count?.used) ?? 0
  }
  if (exceedsLifetime(tenant, usedOf(charges.lifetime), unlimited)) {
    await stores.tenants.pause(tenant.id, 'lifetime_events', now)
  }
  return { id: usedOf(charges.eventId), rate: rateLeft(charges.minute, usedOf(charges.minute)) }
}

/** Counts an event and appends it to the history. */
export async function recordAuthEvent(
  ctx: Pick<Context, 'unlimited'>,
  stores: Pick<TransactionStores, 'counters' | 'tenants' | 'events'>,
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
 * Counts and appends several events of a kind that no limit rejects. Without events it only locks the tenant's counter,
 * which every sign-in and refresh of the tenant locks before it touches a user (`orderedCharges`).
 */
export async function recordConsequences(
  { unlimited }: Pick<Context, 'unlimited'>,
  stores: Pick<TransactionStores, 'counters' | 'tenants' | 'events'>,
  { tenant, resource, kind, now }: Consequences,
  events: readonly NewAuthEvent[],
): Promise<void> {
  const { lifetime, minute, month, eventId } = chargesFor(tenant, kind, now, unlimited)
  const used = (await stores.counters.spend(lifetime.counter, events.length, null)) ?? 0
  if (events.length === 0) return
  if (exceedsLifetime(tenant, used, unlimited)) await stores.tenants.pause(tenant.id, 'lifetime_events', now)
  for (const { counter } of [minute, month]) await stores.counters.spend(counter, events.length, null)
  const firstId = await stores.counters.nextId(eventId.counter)
  if (events.length > 1) await stores.counters.spend(eventId.counter, events.length - 1, null)
  await stores.events.appendAll(resource, firstId, events)
}

/** Throws OverLimit. */
export async function spendCharge(counters: CounterStore, charge: Charge): Promise<void> {
  if ((await counters.spend(charge.counter, 1, charge.limit)) === null) throw new OverLimit(charge)
}
