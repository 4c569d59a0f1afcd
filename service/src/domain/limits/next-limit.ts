const WARNING_SHARE = 0.8

export interface Usage {
  readonly used: number
  readonly limit: number | null
}

export interface NextLimit<Name extends string> {
  readonly allowance: Name
  readonly used: number
  readonly limit: number
  readonly left: number
  readonly warning: string | null
}

/** The allowance with the largest used share; of equal ones, the one with less left. null: none has a limit. */
export function nextLimit<Name extends string>(usage: Readonly<Record<Name, Usage>>): NextLimit<Name> | null {
  const limited = (Object.entries(usage) as [Name, Usage][]).flatMap(([allowance, { used, limit }]) =>
    limit === null ? [] : [{ allowance, used, limit, left: Math.max(0, limit - used), share: used / limit }],
  )
  const [nearest] = limited.sort((a, b) => b.share - a.share || a.left - b.left)
  if (nearest === undefined) return null
  const { share, ...limit } = nearest
  const name = limit.allowance.replaceAll('_', ' ')
  return {
    ...limit,
    warning: share < WARNING_SHARE ? null : `${name}: ${limit.used} of ${limit.limit} used, ${limit.left} left.`,
  }
}
