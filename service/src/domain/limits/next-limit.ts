/** Warn while there is still time to do something about it. */
const WARN_FROM = 0.8

export interface UsedOf {
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

/** The allowance that is nearest to its end, by share; among equals, the one with less left. null: none is limited. */
export function nextLimit<Name extends string>(usage: Readonly<Record<Name, UsedOf>>): NextLimit<Name> | null {
  const limited = (Object.entries(usage) as [Name, UsedOf][]).flatMap(([allowance, { used, limit }]) =>
    limit === null ? [] : [{ allowance, used, limit, left: Math.max(0, limit - used), share: used / limit }],
  )
  const [nearest] = limited.sort((a, b) => b.share - a.share || a.left - b.left)
  if (nearest === undefined) return null
  const { share, ...facts } = nearest
  const words = facts.allowance.replaceAll('_', ' ')
  return {
    ...facts,
    warning: share < WARN_FROM ? null : `${words}: ${facts.used} of ${facts.limit} used, ${facts.left} left.`,
  }
}
