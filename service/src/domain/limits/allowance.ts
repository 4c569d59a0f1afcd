import { type AuthEventKind, TIER_LIMITS } from '@gatehouse/contract'
import { type Tenant, tierOf } from '../tenants/tenant.ts'
import type { Counter, CounterScope } from './counter.ts'
import { minuteEnd, minuteStart, monthEnd, monthStart } from './windows.ts'

/** What one more event costs: a counter, how far it may go, and when it starts anew (null: never). */
export interface Charge {
  readonly counter: Counter
  readonly limit: number | null
  readonly resetsAt: number | null
}

/**
 * A stranger can open the public login link as often as they like. Events that anybody can cause without a credential
 * may use four fifths of the long allowances and no more, so a stranger can neither pause a tenant nor keep its
 * people from refreshing (decisions, section 6).
 */
const OPEN_KINDS: ReadonlySet<AuthEventKind> = new Set(['login_started', 'login_failed', 'consent_denied'])
const OPEN_SHARE = 0.8

export const isOpen = (kind: AuthEventKind): boolean => OPEN_KINDS.has(kind)

/** A guest has its own allowance; an owner's is shared by everything they own (spec, Limits). */
export const scopeOf = (tenant: Tenant): CounterScope =>
  tenant.owner === null ? `tenant:${tenant.id}` : `account:${tenant.owner.accountId}`

/**
 * What an event of this kind costs this tenant now: its lifetime, its minute, its month, and for what anybody can cause
 * their own part of the first and the last.
 *
 * The tenant's lifetime counter always comes first, even where it has no limit: every event of a tenant changes that
 * one row, so they commit one after the other, and an event with a higher id is never visible before one with a lower.
 */
export function chargesFor(tenant: Tenant, kind: AuthEventKind, now: number): Charges {
  const limits = TIER_LIMITS[tierOf(tenant)]
  const scope = scopeOf(tenant)
  const lifetime: Charge = {
    counter: { scope: `tenant:${tenant.id}`, window: 'lifetime', start: 0 },
    limit: limits.eventsPerLifetime,
    resetsAt: null,
  }
  const minute: Charge = {
    counter: { scope, window: 'minute', start: minuteStart(now) },
    limit: limits.eventsPerMinute,
    resetsAt: minuteEnd(now),
  }
  const month: Charge = {
    counter: { scope, window: 'month', start: monthStart(now) },
    limit: limits.eventsPerMonth,
    resetsAt: monthEnd(now),
  }
  const open = isOpen(kind) ? [openPart(lifetime, 'open-lifetime'), openPart(month, 'open-month')] : []
  return [lifetime, minute, month, ...open.filter(({ limit }) => limit !== null)]
}

type Charges = readonly [lifetime: Charge, minute: Charge, month: Charge, ...open: Charge[]]

const openPart = ({ counter, limit, resetsAt }: Charge, window: 'open-lifetime' | 'open-month'): Charge => ({
  counter: { ...counter, window },
  limit: limit === null ? null : Math.floor(limit * OPEN_SHARE),
  resetsAt,
})

/** What storing one more person costs. */
export const userCharge = (tenant: Tenant): Charge => ({
  counter: { scope: scopeOf(tenant), window: 'users', start: 0 },
  limit: TIER_LIMITS[tierOf(tenant)].storedUsers,
  resetsAt: null,
})
