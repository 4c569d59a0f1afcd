import {
  type AuthEventKind,
  TIER_LIMITS,
  type Tier,
  type TierLimits,
} from '@gatehouse-auth/contract'
import { type Tenant, tierOf } from '../tenants/tenant.ts'
import type { Instant } from '../time.ts'
import {
  type Counter,
  type EventCounts,
  type EventScope,
  type EventScopes,
  minuteEnd,
  minuteStart,
  monthEnd,
  monthStart,
  type WindowCount,
} from './counter.ts'

/**
 * How the limits treat an event (decision 13). All events of a minute or month share one number. Anyone can open a public
 * login link, so what strangers cause must leave signed-in users their half:
 *
 * - `start` is rejected when the window is full, or when login starts have used their half of it, rounded up;
 * - `authenticated` is rejected when the window is full and these events have used at least the other half;
 * - `consequence` ends something that was admitted before: it is always recorded and counted, also in a full window.
 */
type EventClass = 'start' | 'authenticated' | 'consequence'

const CLASSES: Readonly<Record<AuthEventKind, EventClass>> = {
  login_started: 'start',
  authorize: 'authenticated',
  token_refreshed: 'authenticated',
  login_failed: 'consequence',
  consent_denied: 'consequence',
  logout: 'consequence',
}

export const classOf = (kind: AuthEventKind): EventClass => CLASSES[kind]

/** How many of the events of a window may be login starts. Each sign-in needs a second event, so none waits longer for it. */
export const loginStartLimit = (limit: number): number => Math.ceil(limit / 2)

/** What login starts have used of a window. `eventLimit` is that of all events. */
export const loginStartUsage = (
  { loginStarts }: WindowCount,
  eventLimit: number | null,
): { readonly used: number; readonly limit: number | null } => ({
  used: loginStarts,
  limit: eventLimit === null ? null : loginStartLimit(eventLimit),
})

/** A limit that an event or a new user must stay within. */
export interface Charge {
  readonly window: 'lifetime' | 'minute' | 'month' | 'users'
  /** null: none. */
  readonly limit: number | null
  /** null: never. */
  readonly resetsAt: Instant | null
}

/** The charge of a window that resets. */
export interface WindowCharge extends Charge {
  readonly window: 'minute' | 'month'
  readonly start: Instant
  readonly resetsAt: Instant
  /** What login starts may use of the limit, for a login start; null: this event is no start, or nothing limits it. */
  readonly startLimit: number | null
  /** How many sign-ins and refreshes no other event can displace; 0 for other events. */
  readonly reserved: number
}

/** Where an event of a tenant is counted, and within which limits. */
export interface Charges extends EventScopes {
  readonly eventClass: EventClass
  /** When the event is counted. */
  readonly now: Instant
  readonly lifetime: Charge
  readonly minute: WindowCharge
  readonly month: WindowCharge
}

/** The limits of a tier, as they are enforced. */
type EnforcedLimits = Pick<TierLimits, 'storedUsers'> & Readonly<Record<EventLimit, number | null>>

type EventLimit = 'eventsPerMinute' | 'eventsPerMonth' | 'eventsPerLifetime'

/** Without a limit for events on a development service with DEV_UNLIMITED: its tests sign in more often than users do. */
export function enforcedLimits(tier: Tier, unlimited: boolean): EnforcedLimits {
  const limits = TIER_LIMITS[tier]
  if (!unlimited) {
    return limits
  }
  return { ...limits, eventsPerMinute: null, eventsPerMonth: null, eventsPerLifetime: null }
}

/** A guest tenant has its own counters; all tenants of an owner share the owner's (spec, Limits). */
export const scopeOf = (tenant: Tenant): EventScope =>
  tenant.owner === null ? `tenant:${tenant.id}` : `account:${tenant.owner.accountId}`

/**
 * The rows that count a tenant's events. Its own row is always written first, even without a limit: every event of a tenant
 * locks that row, so events commit one after the other, and an event with a higher id never becomes visible before one
 * with a lower id.
 */
export const scopesOf = (tenant: Tenant): EventScopes => ({
  own: `tenant:${tenant.id}`,
  shared: scopeOf(tenant),
})

/** How an event of this tenant is counted now. */
export function chargesFor(
  tenant: Tenant,
  kind: AuthEventKind,
  now: Instant,
  unlimited = false,
): Charges {
  const limits = enforcedLimits(tierOf(tenant), unlimited)
  const eventClass = classOf(kind)
  const isLimited = eventClass !== 'consequence'
  return {
    ...scopesOf(tenant),
    eventClass,
    now,
    lifetime: {
      window: 'lifetime',
      limit: isLimited ? limits.eventsPerLifetime : null,
      resetsAt: null,
    },
    minute: {
      window: 'minute',
      start: minuteStart(now),
      resetsAt: minuteEnd(now),
      ...windowLimits(eventClass, limits.eventsPerMinute),
    },
    month: {
      window: 'month',
      start: monthStart(now),
      resetsAt: monthEnd(now),
      ...windowLimits(eventClass, limits.eventsPerMonth),
    },
  }
}

/** What an event of this class may use of a window. */
export function windowLimits(
  eventClass: EventClass,
  limit: number | null,
): Pick<WindowCharge, 'limit' | 'startLimit' | 'reserved'> {
  if (limit === null || eventClass === 'consequence') {
    return { limit: null, startLimit: null, reserved: 0 }
  }
  if (eventClass === 'start') {
    return { limit, startLimit: loginStartLimit(limit), reserved: 0 }
  }
  return { limit, startLimit: null, reserved: limit - loginStartLimit(limit) }
}

/** How many more events like this one the window admits; null: any number. */
export function eventsLeft(
  { limit, startLimit, reserved }: WindowCharge,
  counts: WindowCount,
): number | null {
  if (limit === null) {
    return null
  }
  const inWindow = limit - counts.used
  const inStarts = startLimit === null ? inWindow : startLimit - counts.loginStarts
  const inReserve = reserved - counts.authenticated
  return Math.max(0, Math.min(inWindow, inStarts), inReserve)
}

/**
 * The first limit that rejects one more event, in the order in which limits are reported; null: none.
 *
 * The same rule stands in SQL where a statement must decide by itself: `add` in storage/limits/event-counts.ts, and
 * `gatehouse_refresh_v2` in service/content/functions.postgres.sql, for the refreshes on PostgreSQL.
 */
export function limitReached(
  { lifetime, minute, month }: Charges,
  counts: EventCounts,
): ReachedLimit | null {
  if (lifetime.limit !== null && counts.lifetime >= lifetime.limit) {
    return reached(lifetime, lifetime.limit)
  }
  return windowLimitReached(minute, counts.minute) ?? windowLimitReached(month, counts.month)
}

/** A limit that rejected an event or a new user. */
export interface ReachedLimit {
  readonly window: Charge['window']
  readonly limit: number
  /** Whether it is the half of login starts. */
  readonly isOfStarts: boolean
  readonly resetsAt: Instant | null
}

function windowLimitReached(charge: WindowCharge, counts: WindowCount): ReachedLimit | null {
  const { limit, startLimit } = charge
  if (limit === null || eventsLeft(charge, counts) !== 0) {
    return null
  }
  if (startLimit !== null && counts.used < limit) {
    return { ...reached(charge, startLimit), isOfStarts: true }
  }
  return reached(charge, limit)
}

/** The limit of all events, or of users. */
export const reached = ({ window, resetsAt }: Charge, limit: number): ReachedLimit => ({
  window,
  limit,
  isOfStarts: false,
  resetsAt,
})

/** Whether a recorded event pauses this tenant: a consequence took a guest past its lifetime limit. */
export function exceedsLifetime(
  tenant: Tenant,
  eventsInLifetime: number,
  unlimited: boolean,
): boolean {
  const { eventsPerLifetime } = enforcedLimits(tierOf(tenant), unlimited)
  return eventsPerLifetime !== null && eventsInLifetime > eventsPerLifetime
}

/** The charge of a new user. */
export interface UserCharge extends Charge {
  readonly window: 'users'
  /** The counter that a new user increments. */
  readonly counter: Counter
  readonly limit: number
}

export const userCharge = (tenant: Tenant): UserCharge => ({
  window: 'users',
  counter: { scope: scopeOf(tenant), window: 'users', start: 0 },
  limit: TIER_LIMITS[tierOf(tenant)].storedUsers,
  resetsAt: null,
})
