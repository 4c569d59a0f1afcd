import type { TokenSubject } from '../../../service/src/domain/tokens/access-token.ts'
import type { Pair } from '../../../service/test/support/actors/agent.ts'

/** What to fill an empty service with. */
export interface PopulationPlan {
  /** Each has an owner of its own, on the pro tier, so that the limits of the service hold as they are shipped. */
  readonly tenants: number
  readonly sessionsPerTenant: number
  /** People who have signed in once and left no session. */
  readonly usersPerTenant: number
  /** Where people return to after a login. */
  readonly callbackUrl: string
}

export interface Population {
  readonly tenants: readonly PopulatedTenant[]
}

export interface PopulatedTenant {
  readonly id: string
  readonly managementKey: string
  readonly sessions: readonly PopulatedSession[]
}

export interface PopulatedSession extends Pair {
  readonly user: Pick<TokenSubject, 'id' | 'email' | 'name' | 'picture'>
}

/** One session of every tenant, then the next of every tenant: neighbours never share an allowance. */
export const sessionsInTurn = ({ tenants }: Population): (PopulatedSession & { readonly tenantId: string })[] =>
  (tenants[0]?.sessions ?? []).flatMap((_, index) =>
    tenants.flatMap(({ id, sessions }) =>
      sessions.slice(index, index + 1).map((session) => ({ ...session, tenantId: id })),
    ),
  )
