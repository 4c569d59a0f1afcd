import { type AuthEventKind, TIER_LIMITS, type Tier, type TierLimits } from '@gatehouse/contract'
import { type Tenant, tierOf } from '../tenants/tenant.ts'
import type { Instant } from '../time.ts'
import type { Counter, CounterScope } from './counter.ts'
import { minuteEnd, minuteStart, monthEnd, monthStart } from './windows.ts'

/**
 * How the limits treat an event (decision 13). Anyone can open a public login link, so what unauthenticated requests cause
 * must not lock out signed-in users:
 *
 * - `start` is rejected when all events of the window have reached the limit;
 * - `authenticated` is rejected only when authenticated events alone have reached it;
 * - `consequence` ends something that was admitted before: it is always recorded and counted.
 */
export type EventClass = 'start' | 'authenticated' | 'consequence'

const CLASSES: Readonly<Record<AuthEventKind, EventClass>> = {
  login_started: 'start',
  authorize: 'authenticated',
  token_refreshed: 'authenticated',
  login_failed: 'consequence',
  consent_denied: 'consequence',
  logout: 'consequence',
}

export const classOf = (kind: AuthEventKind): EventClass => CLASSES[kind]

/** One counter that an event increments, the limit that it must stay within (null: none), and when it resets (null: never). */
export interface Charge {
  readonly counter: Counter
  readonly limit: number | null
  /** Whether it counts as authenticated; then the limit applies to the authenticated events alone. */
  readonly authenticated: boolean
  readonly resetsAt: Instant | null
}

export interface Charges {
  readonly lifetime: Charge
  readonly minute: Charge & { readonly resetsAt: Instant }
  readonly month: Charge & { readonly resetsAt: Instant }
  /** Its value is the id of the event. Ids count from 1 for each tenant and never start again. */
  readonly eventId: Charge
}

/** The limits of a tier, as they are enforced. */
export type EnforcedLimits = Pick<TierLimits, 'storedUsers'> & Readonly<Record<EventLimit, number | null>>

type EventLimit = 'eventsPerMinute' | 'eventsPerMonth' | 'eventsPerLifetime'

/** Without a limit for events on a development service with DEV_UNLIMITED: its tests sign in more often than users do. */
export function enforcedLimits(tier: Tier, unlimited: boolean): EnforcedLimits {
  const limits = TIER_LIMITS[tier]
  if (!unlimited) return limits
  return { ...limits, eventsPerMinute: null, eventsPerMonth: null, eventsPerLifetime: null }
}

/** A guest tenant has its own counters; all tenants of an owner share the owner's (spec, Limits). */
export const scopeOf = (tenant: Tenant): CounterScope =>
  tenant.owner === null ? `tenant:${tenant.id}` : `account:${tenant.owner.accountId}`

/** The counters that an event of this tenant increments now. */
export function chargesFor(tenant: Tenant, kind: AuthEventKind, now: Instant, unlimited = false): Charges {
  const limits = enforcedLimits(tierOf(tenant), unlimited)
  const [scope, own] = [scopeOf(tenant), `tenant:${tenant.id}` as const]
  const eventClass = classOf(kind)
  const isLimited = eventClass !== 'consequence'
  const authenticated = eventClass === 'authenticated'
  return {
    lifetime: {
      counter: { scope: own, window: 'lifetime', start: 0 },
      limit: isLimited ? limits.eventsPerLifetime : null,
      authenticated: false,
      resetsAt: null,
    },
    minute: {
      counter: { scope, window: 'minute', start: minuteStart(now) },
      limit: isLimited ? limits.eventsPerMinute : null,
      authenticated,
      resetsAt: minuteEnd(now),
    },
    month: {
      counter: { scope, window: 'month', start: monthStart(now) },
      limit: isLimited ? limits.eventsPerMonth : null,
      authenticated,
      resetsAt: monthEnd(now),
    },
    eventId: {
      counter: { scope: own, window: 'event-ids', start: 0 },
      limit: null,
      authenticated: false,
      resetsAt: null,
    },
  }
}

/**
 * The order in which counters are incremented. The tenant's lifetime counter is always first, even without a limit: every
 * event of a tenant locks that row, so events commit one after the other, and an event with a higher id never becomes
 * visible before one with a lower id.
 */
export const orderedCharges = ({
  lifetime,
  minute,
  month,
  eventId,
}: Charges): readonly [Charges['lifetime'], Charges['minute'], Charges['month'], Charges['eventId']] => [
  lifetime,
  minute,
  month,
  eventId,
]

/** Whether a recorded event pauses this tenant: a consequence took a guest past its lifetime limit. */
export function exceedsLifetime(tenant: Tenant, eventsInLifetime: number, unlimited: boolean): boolean {
  const { eventsPerLifetime } = enforcedLimits(tierOf(tenant), unlimited)
  return eventsPerLifetime !== null && eventsInLifetime > eventsPerLifetime
}

/** The counter that a new user increments. */
export const userCharge = (tenant: Tenant): Charge & { readonly limit: number } => ({
  counter: { scope: scopeOf(tenant), window: 'users', start: 0 },
  limit: TIER_LIMITS[tierOf(tenant)].storedUsers,
  authenticated: false,
  resetsAt: null,
})
