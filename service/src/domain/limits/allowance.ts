import { type AuthEventKind, TIER_LIMITS } from '@gatehouse/contract'
import { type Tenant, tierOf } from '../tenants/tenant.ts'
import type { Instant } from '../time.ts'
import type { Counter, CounterScope } from './counter.ts'
import { minuteEnd, minuteStart, monthEnd, monthStart } from './windows.ts'

/** What one more event costs: a counter, how far it may go (null: no limit), and when it resets (null: never). */
export interface Charge {
  readonly counter: Counter
  readonly limit: number | null
  readonly resetsAt: Instant | null
}

/** A charge to an allowance that every tier limits. */
export type LimitedCharge = Charge & { readonly limit: number }

export interface Charges {
  readonly lifetime: Charge
  readonly minute: LimitedCharge
  readonly month: Charge
}

/**
 * A stranger can open the public login link as often as they like, and must not be able to spend a tenant's life or an
 * owner's month that way. So the last fifth of these long allowances is for people: there, what anybody can cause
 * without a credential is counted only as long as it does not outnumber the sign-ins that were finished. Logins that
 * people complete never meet this; a stranger's do at four fifths (docs/decisions/0021).
 */
const OPEN_KINDS: ReadonlySet<AuthEventKind> = new Set(['login_started', 'login_failed', 'consent_denied'])
const OPEN_SHARE = 0.8

export const isUnauthenticated = (kind: AuthEventKind): boolean => OPEN_KINDS.has(kind)

export interface UnauthenticatedShare {
  /** All events, this one included. */
  readonly used: number
  readonly limit: number
  /** Those that anybody could cause, this one included. */
  readonly open: number
  readonly finished: number
  /** Logins under way at the same moment are not finished yet; so many are excused. */
  readonly underWay: number
}

export const unauthenticatedShare = (limit: number): number => Math.floor(limit * OPEN_SHARE)

export const isWithinShare = ({ used, limit, open, finished, underWay }: UnauthenticatedShare): boolean =>
  used <= unauthenticatedShare(limit) || (finished > 0 && open <= finished + underWay)

/** A guest has its own allowance; an owner's is shared by everything they own (spec, Limits). */
export const scopeOf = (tenant: Tenant): CounterScope =>
  tenant.owner === null ? `tenant:${tenant.id}` : `account:${tenant.owner.accountId}`

/** What an event costs this tenant now: its lifetime, its minute and its month. */
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
 * The order in which they are counted. The tenant's lifetime counter always comes first, even where it has no limit:
 * every event of a tenant changes that one row, so they commit one after the other, and an event with a higher id is
 * never visible before one with a lower.
 */
export const orderedCharges = ({ lifetime, minute, month }: Charges): readonly [Charge, LimitedCharge, Charge] => [
  lifetime,
  minute,
  month,
]

/** The part of a long allowance that an event of this kind belongs to, beside the whole; null when it has none. */
export function partCounter({ counter, limit }: Charge, part: 'open' | 'finished'): Counter | null {
  if (limit === null || (counter.window !== 'month' && counter.window !== 'lifetime')) return null
  return { ...counter, window: `${part}-${counter.window}` }
}

/** All that an event of this kind counts, in order: each allowance, and right after it the part that it belongs to. */
export function countersFor(charges: Charges, kind: AuthEventKind): readonly Pick<Charge, 'counter' | 'limit'>[] {
  const part = isUnauthenticated(kind) ? 'open' : kind === 'authorize' ? 'finished' : null
  return orderedCharges(charges).flatMap((charge) => {
    const counter = part === null ? null : partCounter(charge, part)
    return counter === null ? [charge] : [charge, { counter, limit: null }]
  })
}

/** What storing one more person costs. */
export const userCharge = (tenant: Tenant): LimitedCharge => ({
  counter: { scope: scopeOf(tenant), window: 'users', start: 0 },
  limit: TIER_LIMITS[tierOf(tenant)].storedUsers,
  resetsAt: null,
})
