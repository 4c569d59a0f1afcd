const WARNING_SHARE = 0.8

export interface Usage {
  readonly used: number
  readonly limit: number | null
}

/** What stops when an allowance is used up, the most severe first. */
const CONSEQUENCES = {
  events_lifetime: 'The next event pauses the tenant until it is claimed.',
  stored_users: 'Then no new user can sign in; a guest tenant is paused.',
  authenticated_events_this_month: 'Then sign-ins and refreshes wait for the next month.',
  events_this_month: 'Then new logins wait for the next month; refreshes continue.',
  authenticated_events_this_minute: 'Then sign-ins and refreshes wait for the next minute.',
  events_this_minute: 'Then new logins wait for the next minute; refreshes continue.',
} as const

export type AllowanceName = keyof typeof CONSEQUENCES

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
  const limited = (Object.keys(CONSEQUENCES) as AllowanceName[]).flatMap((allowance) => {
    const { used, limit } = usage[allowance]
    return limit === null ? [] : [{ allowance, used, limit, left: Math.max(0, limit - used), share: used / limit }]
  })
  const [nearest] = limited.sort((a, b) => b.share - a.share || a.left - b.left)
  if (nearest === undefined) return null
  const { share, ...next } = nearest
  return { ...next, warning: share < WARNING_SHARE ? null : warning(next) }
}

function warning({ allowance, used, limit, left }: Omit<NextLimit, 'warning'>): string {
  return `${allowance.replaceAll('_', ' ')}: ${used} of ${limit} used, ${left} left. ${CONSEQUENCES[allowance]}`
}
