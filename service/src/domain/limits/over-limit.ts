import type { PauseReason } from '../tenants/tenant.ts'
import type { Instant } from '../time.ts'
import type { Charge, Charges } from './allowance.ts'
import { monthEnd, monthStart } from './counter.ts'

/**
 * Thrown inside a transaction when a limit is exceeded, which rolls back all counters. The consequences (a pause, a
 * response) are decided outside of the transaction, so that they are not rolled back.
 */
export class OverLimit extends Error {
  override readonly name = 'OverLimit'
  readonly window: Charge['window']
  readonly limit: number
  /** Whether the limit applies to the authenticated events alone. */
  readonly authenticated: boolean
  readonly resetsAt: Instant | null

  constructor({ window, limit, authenticated, resetsAt }: Charge) {
    super(`over the ${window} limit`)
    if (limit === null) {
      throw new Error(`The ${window} allowance has no limit, so it cannot be used up.`)
    }
    this.window = window
    this.limit = limit
    this.authenticated = authenticated
    this.resetsAt = resetsAt
  }

  /** Only the hard caps pause a guest tenant; minute and month limits reset. */
  get pauseReason(): PauseReason | null {
    if (this.window === 'lifetime') {
      return 'lifetime_events'
    }
    if (this.window === 'users') {
      return 'stored_users'
    }
    return null
  }
}

export interface Usage {
  readonly used: number
  readonly limit: number | null
}

/** What is counted, and what stops when the allowance is used up; the most severe first. */
const TEXTS = {
  events_lifetime: [
    'Lifetime events',
    'Then the next event pauses the tenant until it is claimed.',
  ],
  stored_users: ['Stored users', 'Then no new user can sign in; a guest tenant is paused.'],
  authenticated_events_this_month: [
    'Sign-ins and refreshes this month',
    'Then both wait for the next month.',
  ],
  events_this_month: [
    'Events this month',
    'Then new logins wait for the next month; refreshes continue.',
  ],
  authenticated_events_this_minute: [
    'Sign-ins and refreshes this minute',
    'Then both wait for the next minute.',
  ],
  events_this_minute: [
    'Events this minute',
    'Then new logins wait for the next minute; refreshes continue.',
  ],
} as const

export type AllowanceName = keyof typeof TEXTS

interface NextLimit {
  readonly allowance: AllowanceName
  readonly used: number
  readonly limit: number
  readonly left: number
  readonly warning: string | null
}

const WARNING_SHARE = 0.8

/** Before, a rate says little. */
const RATE_AFTER_MS = 3 * 24 * 3_600_000
const RATE_FROM_SHARE = 0.1

/** When a limit of the month is reached if it goes on as it began; null: not in this month, or it is too early to say. */
export function monthLimitReachedAt({ used, limit }: Usage, now: Instant): Instant | null {
  const elapsed = now - monthStart(now)
  if (
    limit === null ||
    elapsed < RATE_AFTER_MS ||
    used < limit * RATE_FROM_SHARE ||
    used >= limit
  ) {
    return null
  }
  const at = monthStart(now) + Math.round((elapsed * limit) / used)
  return at < monthEnd(now) ? at : null
}

/** The more severe one first. */
const OF_MONTH = ['authenticated_events_this_month', 'events_this_month'] as const

/**
 * The allowance with the largest used share; of equal ones, the one with less left, then the more severe one. What is counted
 * past a limit makes its share no larger. While none runs low: one of the month that will, at the present rate. null: none has
 * a limit.
 */
export function nextLimit(
  usage: Readonly<Record<AllowanceName, Usage>>,
  now: Instant,
): NextLimit | null {
  const limited = (Object.keys(TEXTS) as AllowanceName[]).flatMap((allowance) => {
    const { used, limit } = usage[allowance]
    return limit === null
      ? []
      : [
          {
            allowance,
            used,
            limit,
            left: Math.max(0, limit - used),
            share: Math.min(1, used / limit),
          },
        ]
  })
  const [nearest] = limited.sort((a, b) => b.share - a.share || a.left - b.left)
  if (nearest === undefined) {
    return null
  }
  const { share, ...next } = nearest
  if (share >= WARNING_SHARE) {
    return { ...next, warning: warning(next) }
  }
  const [first] = OF_MONTH.flatMap((allowance) => {
    const at = monthLimitReachedAt(usage[allowance], now)
    return at === null ? [] : [{ allowance, at }]
  }).sort((a, b) => a.at - b.at)
  if (first === undefined) {
    return { ...next, warning: null }
  }
  const { allowance, at } = first
  const { used, limit } = usage[allowance]
  const coming = { allowance, used, limit: limit ?? 0, left: (limit ?? 0) - used }
  return {
    ...coming,
    warning: `At this rate the limit is reached on ${dayInWords(at)}. ${warning(coming)}`,
  }
}

function warning({ allowance, used, limit, left }: Omit<NextLimit, 'warning'>): string {
  const [counted, consequence] = TEXTS[allowance]
  return `${counted}: ${used} of ${limit} used, ${left} left. ${consequence}`
}

const MONTHS =
  'January February March April May June July August September October November December'.split(' ')

/** `1 December`: the UTC day, as limits count days and months. */
export function dayInWords(at: Instant): string {
  const date = new Date(at)
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`
}

/** The rate limit of a request, for the RateLimit headers. */
export interface Rate {
  readonly window: 'minute' | 'hour' | 'month' | 'year'
  readonly limit: number
  readonly left: number
  /** null: does not reset. */
  readonly resetsAt: Instant | null
}

/** null: an event that no limit rejects. */
export const rateLeft = (minute: Charges['minute'], used: number): Rate | null =>
  minute.limit === null
    ? null
    : {
        window: 'minute',
        limit: minute.limit,
        left: Math.max(0, minute.limit - used),
        resetsAt: minute.resetsAt,
      }
