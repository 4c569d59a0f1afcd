import {
  type AuthEventKind,
  TIER_LIMITS,
  type Tier,
  type TierLimits,
} from '@gatehouse-auth/contract'
import { type Tenant, tierOf } from '../tenants/tenant.ts'
import type { Instant } from '../time.ts'
import * as windows from './counter.ts'

/**
 * How the limits treat an event (decision 13). Anyone can open a public login link, so what unauthenticated requests cause
 * must not lock out signed-in users:
 *
 * - `start` is rejected when all events of the window have reached the limit;
 * - `authenticated` is rejected only when authenticated events alone have reached it;
 * - `consequence` ends something that was admitted before: it is always recorded and counted.
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

/** What an event or a new user is counted in, and the limit that it must stay within (null: none). */
export interface Charge {
  readonly window: 'lifetime' | 'minute' | 'month' | 'users'
  readonly limit: number | null
  /** Whether it counts as authenticated; then the limit applies to the authenticated events alone. */
  readonly authenticated: boolean
  /** null: never. */
  readonly resetsAt: Instant | null
}

/** The charge of a window that resets. */
interface WindowCharge extends Charge {
  readonly start: Instant
  readonly resetsAt: Instant
}

/** Where an event of a tenant is counted, and within which limits. */
export interface Charges extends windows.EventScopes {
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
export const scopeOf = (tenant: Tenant): windows.EventScope =>
  tenant.owner === null ? `tenant:${tenant.id}` : `account:${tenant.owner.accountId}`

/**
 * The rows that count a tenant's events. Its own row is always written first, even without a limit: every event of a tenant
 * locks that row, so events commit one after the other, and an event with a higher id never becomes visible before one
 * with a lower id.
 */
export const scopesOf = (tenant: Tenant): windows.EventScopes => ({
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
  const authenticated = eventClass === 'authenticated'
  return {
    ...scopesOf(tenant),
    now,
    lifetime: {
      window: 'lifetime',
      limit: isLimited ? limits.eventsPerLifetime : null,
      authenticated: false,
      resetsAt: null,
    },
    minute: {
      window: 'minute',
      start: windows.minuteStart(now),
      limit: isLimited ? limits.eventsPerMinute : null,
      authenticated,
      resetsAt: windows.minuteEnd(now),
    },
    month: {
      window: 'month',
      start: windows.monthStart(now),
      limit: isLimited ? limits.eventsPerMonth : null,
      authenticated,
      resetsAt: windows.monthEnd(now),
    },
  }
}

/** The first limit that rejects one more event, in the order in which limits are reported; null: none. */
export function limitReached(
  { lifetime, minute, month }: Charges,
  counts: windows.EventCounts,
): Charge | null {
  if (lifetime.limit !== null && counts.lifetime >= lifetime.limit) {
    return lifetime
  }
  if (isReached(minute, counts.minute)) {
    return minute
  }
  return isReached(month, counts.month) ? month : null
}

const isReached = ({ limit, authenticated }: Charge, count: windows.WindowCount): boolean =>
  limit !== null && (authenticated ? count.authenticated : count.used) >= limit

/** Whether a recorded event pauses this tenant: a consequence took a guest past its lifetime limit. */
export function exceedsLifetime(
  tenant: Tenant,
  eventsInLifetime: number,
  unlimited: boolean,
): boolean {
  const { eventsPerLifetime } = enforcedLimits(tierOf(tenant), unlimited)
  return eventsPerLifetime !== null && eventsInLifetime > eventsPerLifetime
}

/** The counter that a new user increments. */
export const userCharge = (
  tenant: Tenant,
): Charge & { readonly counter: windows.Counter; readonly limit: number } => ({
  counter: { scope: scopeOf(tenant), window: 'users', start: 0 },
  window: 'users',
  limit: TIER_LIMITS[tierOf(tenant)].storedUsers,
  authenticated: false,
  resetsAt: null,
})
