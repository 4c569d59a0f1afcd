import type { TokenSubject } from '../../../service/src/domain/tokens/access-token.ts'
import type { Pair } from '../../../service/test/support/actors/agent.ts'

/** The data to create in an empty database. */
export interface PopulationPlan {
  /** Each has its own owner on the pro tier, so that the load stays within the shipped limits. */
  readonly tenants: number
  readonly sessionsPerTenant: number
  /** Users without a session. */
  readonly usersPerTenant: number
  readonly callbackUrl: string
  /** Each tenant has an endpoint for the default kinds of events. */
  readonly webhooks: boolean
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

/** The first session of every tenant, then the second, and so on: consecutive requests never share a limit. */
export const interleavedSessions = ({ tenants }: Population): (PopulatedSession & { readonly tenantId: string })[] =>
  (tenants[0]?.sessions ?? []).flatMap((_, index) =>
    tenants.flatMap(({ id, sessions }) =>
      sessions.slice(index, index + 1).map((session) => ({ ...session, tenantId: id })),
    ),
  )
