import type { Instant } from '../time.ts'
import { dayInWords } from '../time.ts'
import { loginStartLimit } from './allowance.ts'
import { monthEnd, monthStart } from './counter.ts'

export interface Usage {
  readonly used: number
  readonly limit: number | null
}

interface AllowanceText {
  readonly counted: string
  /** What stops when it is used up. */
  readonly consequence: (limit: number) => string
}

/** The most severe first. */
const TEXTS = {
  events_lifetime: {
    counted: 'Lifetime events',
    consequence: () => 'Then the next event pauses the tenant until it is claimed.',
  },
  stored_users: {
    counted: 'Stored users',
    consequence: () => 'Then no new user can sign in; a guest tenant is paused.',
  },
  events_this_month: {
    counted: 'Events this month',
    consequence: (limit) => fullWindowText('month', limit),
  },
  login_starts_this_month: {
    counted: 'Login starts this month',
    consequence: () => fullStartsText('month'),
  },
  events_this_minute: {
    counted: 'Events this minute',
    consequence: (limit) => fullWindowText('minute', limit),
  },
  login_starts_this_minute: {
    counted: 'Login starts this minute',
    consequence: () => fullStartsText('minute'),
  },
} as const satisfies Readonly<Record<string, AllowanceText>>

export type AllowanceName = keyof typeof TEXTS

const NAMES = Object.keys(TEXTS) as AllowanceName[]

/** Denied and failed logins are counted in a full window, too, and can't displace the reserved sign-ins and refreshes. */
function fullWindowText(window: 'minute' | 'month', limit: number): string {
  const reserved = limit - loginStartLimit(limit)
  return `Then new logins wait for the next ${window}, and so do sign-ins and refreshes after their first ${reserved}.`
}

const fullStartsText = (window: 'minute' | 'month'): string =>
  `Then new logins wait for the next ${window}; started logins and refreshes continue.`

export type UsageByAllowance = Readonly<Record<AllowanceName, Usage>>

interface Allowance {
  readonly allowance: AllowanceName
  readonly used: number
  readonly limit: number
  readonly left: number
}

interface NextLimit extends Allowance {
  readonly warning: string | null
}

const WARNING_SHARE = 0.8

/** The limit that is nearest, or that the present rate of this month will reach. null: nothing has a limit. */
export function nextLimit(usage: UsageByAllowance, now: Instant): NextLimit | null {
  const nearest = closestToItsLimit(usage)
  if (nearest === null) {
    return null
  }

  if (shareOf(nearest) >= WARNING_SHARE) {
    return { ...nearest, warning: warningFor(nearest) }
  }

  const coming = monthLimitReachedFirst(usage, now)
  if (coming === null) {
    return { ...nearest, warning: null }
  }

  const day = dayInWords(coming.reachedAt)
  const warning = `At this rate the limit is reached on ${day}. ${warningFor(coming.allowance)}`
  return { ...coming.allowance, warning }
}

/**
 * Finds the allowance with the largest used share; among equal ones, the one with less left, then the more severe one.
 * Usage above a limit counts as 100%.
 */
function closestToItsLimit(usage: UsageByAllowance): Allowance | null {
  const bySeverity = NAMES.map((name) => limitedAllowance(name, usage[name]))
  const limited = bySeverity.filter((allowance) => allowance !== null)
  const [nearest = null] = limited.sort(
    (one, other) => shareOf(other) - shareOf(one) || one.left - other.left,
  )
  return nearest
}

/** null: it has no limit. */
function limitedAllowance(allowance: AllowanceName, { used, limit }: Usage): Allowance | null {
  if (limit === null) {
    return null
  }
  return { allowance, used, limit, left: Math.max(0, limit - used) }
}

const shareOf = ({ used, limit }: Allowance): number => Math.min(1, used / limit)

function warningFor({ allowance, used, limit, left }: Allowance): string {
  const { counted, consequence } = TEXTS[allowance]
  return `${counted}: ${used} of ${limit} used, ${left} left. ${consequence(limit)}`
}

/** The more severe one first. */
const OF_MONTH = ['events_this_month', 'login_starts_this_month'] as const

interface ComingLimit {
  readonly allowance: Allowance
  readonly reachedAt: Instant
}

function monthLimitReachedFirst(usage: UsageByAllowance, now: Instant): ComingLimit | null {
  let first: ComingLimit | null = null
  for (const name of OF_MONTH) {
    const allowance = limitedAllowance(name, usage[name])
    const reachedAt = monthLimitReachedAt(usage[name], now)
    if (allowance === null || reachedAt === null) {
      continue
    }
    if (first === null || reachedAt < first.reachedAt) {
      first = { allowance, reachedAt }
    }
  }
  return first
}

/** Before, a rate says little. */
const RATE_AFTER_MS = 3 * 24 * 3_600_000
const RATE_FROM_SHARE = 0.1

/** When a limit of the month is reached if it goes on as it began; null: not in this month, or it is too early to say. */
export function monthLimitReachedAt({ used, limit }: Usage, now: Instant): Instant | null {
  const elapsed = now - monthStart(now)
  if (limit === null || used >= limit) {
    return null
  }
  if (elapsed < RATE_AFTER_MS || used < limit * RATE_FROM_SHARE) {
    return null
  }
  const at = monthStart(now) + Math.round((elapsed * limit) / used)
  return at < monthEnd(now) ? at : null
}
