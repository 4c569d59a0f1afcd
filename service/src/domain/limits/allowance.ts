import { type AuthEventKind, TIER_LIMITS } from '@gatehouse/contract'
import { type Tenant, tierOf } from '../tenants/tenant.ts'
import type { Instant } from '../time.ts'
import type { Counter, CounterScope } from './counter.ts'
import { minuteEnd, minuteStart, monthEnd, monthStart } from './windows.ts'

/** One counter that an event increments, its limit (null: none), and when it resets (null: never). */
export interface Charge {
  readonly counter: Counter
  readonly limit: number | null
  readonly resetsAt: Instant | null
}

/** A charge with a limit in every tier. */
export type LimitedCharge = Charge & { readonly limit: number }

export interface Charges {
  readonly lifetime: Charge
  readonly minute: LimitedCharge
  readonly month: Charge
}

/**
 * Anyone can open the public login link and must not be able to use up a tenant's lifetime or an owner's month with it.
 * So unauthenticated events may use four fifths of these limits. Beyond that they are allowed only while they do not
 * outnumber the finished sign-ins, so an app whose users complete their logins never notices (docs/decisions/0021).
 */
const UNAUTHENTICATED_KINDS: ReadonlySet<AuthEventKind> = new Set(['login_started', 'login_failed', 'consent_denied'])
const UNAUTHENTICATED_SHARE = 0.8

export const isUnauthenticated = (kind: AuthEventKind): boolean => UNAUTHENTICATED_KINDS.has(kind)

export interface UnauthenticatedShare {
  /** All events, including this one. */
  readonly used: number
  readonly limit: number
  /** Unauthenticated events, including this one. */
  readonly open: number
  readonly finished: number
  /** Tolerance for concurrent logins that are not finished yet. */
  readonly inProgress: number
}

export const unauthenticatedShare = (limit: number): number => Math.floor(limit * UNAUTHENTICATED_SHARE)

export const isWithinShare = ({ used, limit, open, finished, inProgress }: UnauthenticatedShare): boolean =>
  used <= unauthenticatedShare(limit) || (finished > 0 && open <= finished + inProgress)

/** A guest tenant has its own counters; all tenants of an owner share the owner's (spec, Limits). */
export const scopeOf = (tenant: Tenant): CounterScope =>
  tenant.owner === null ? `tenant:${tenant.id}` : `account:${tenant.owner.accountId}`

/** The counters that an event of this tenant increments now. */
export function chargesFor(tenant: Tenant, now: Instant): Charges {
  const limits = TIER_LIMITS[tierOf(tenant)]
  const scope = scopeOf(tenant)
  return {
    lifetime: {
      counter: { scope: `tenant:${tenant.id}`, window: 'lifetime', start: 0 },
      limit: limits.eventsPerLifetime,
      resetsAt: null,
    },
    minute: {
      counter: { scope, window: 'minute', start: minuteStart(now) },
      limit: limits.eventsPerMinute,
      resetsAt: minuteEnd(now),
    },
    month: {
      counter: { scope, window: 'month', start: monthStart(now) },
      limit: limits.eventsPerMonth,
      resetsAt: monthEnd(now),
    },
  }
}

/**
 * The order in which counters are incremented. The tenant's lifetime counter is always first, even without a limit: every
 * event of a tenant locks that row, so events commit one after the other, and an event with a higher id never becomes
 * visible before one with a lower id.
 */
export const orderedCharges = ({ lifetime, minute, month }: Charges): readonly [Charge, LimitedCharge, Charge] => [
  lifetime,
  minute,
  month,
]

/** The counter of the unauthenticated or the finished events within a month or lifetime; null if that has no limit. */
export function partCounter({ counter, limit }: Charge, part: 'open' | 'finished'): Counter | null {
  if (limit === null || (counter.window !== 'month' && counter.window !== 'lifetime')) return null
  return { ...counter, window: `${part}-${counter.window}` }
}

/** All counters that an event of this kind increments, in order: each charge, followed by its part counter, if any. */
export function countersFor(charges: Charges, kind: AuthEventKind): readonly Pick<Charge, 'counter' | 'limit'>[] {
  const part = isUnauthenticated(kind) ? 'open' : kind === 'authorize' ? 'finished' : null
  return orderedCharges(charges).flatMap((charge) => {
    const counter = part === null ? null : partCounter(charge, part)
    return counter === null ? [charge] : [charge, { counter, limit: null }]
  })
}

/** The counter that a new user increments. */
export const userCharge = (tenant: Tenant): LimitedCharge => ({
  counter: { scope: scopeOf(tenant), window: 'users', start: 0 },
  limit: TIER_LIMITS[tierOf(tenant)].storedUsers,
  resetsAt: null,
})
