const WARNING_SHARE = 0.8

export interface Usage {
  readonly used: number
  readonly limit: number | null
}

/** What is counted, and what stops when the allowance is used up; the most severe first. */
const TEXTS = {
  events_lifetime: ['Lifetime events', 'Then the next event pauses the tenant until it is claimed.'],
  stored_users: ['Stored users', 'Then no new user can sign in; a guest tenant is paused.'],
  authenticated_events_this_month: ['Sign-ins and refreshes this month', 'Then both wait for the next month.'],
  events_this_month: ['Events this month', 'Then new logins wait for the next month; refreshes continue.'],
  authenticated_events_this_minute: ['Sign-ins and refreshes this minute', 'Then both wait for the next minute.'],
  events_this_minute: ['Events this minute', 'Then new logins wait for the next minute; refreshes continue.'],
} as const

export type AllowanceName = keyof typeof TEXTS

export interface NextLimit {
  readonly allowance: AllowanceName
  readonly used: number
  readonly limit: number
  readonly left: number
  readonly warning: string | null
}

/**
 * The allowance with the largest used share; of equal ones, the one with less left, then the more severe one. null: none
 * has a limit.
 */
export function nextLimit(usage: Readonly<Record<AllowanceName, Usage>>): NextLimit | null {
  const limited = (Object.keys(TEXTS) as AllowanceName[]).flatMap((allowance) => {
    const { used, limit } = usage[allowance]
    return limit === null ? [] : [{ allowance, used, limit, left: Math.max(0, limit - used), share: used / limit }]
  })
  const [nearest] = limited.sort((a, b) => b.share - a.share || a.left - b.left)
  if (nearest === undefined) return null
  const { share, ...next } = nearest
  return { ...next, warning: share < WARNING_SHARE ? null : warning(next) }
}

function warning({ allowance, used, limit, left }: Omit<NextLimit, 'warning'>): string {
  const [counted, consequence] = TEXTS[allowance]
  return `${counted}: ${used} of ${limit} used, ${left} left. ${consequence}`
}
