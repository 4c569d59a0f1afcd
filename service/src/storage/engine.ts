import type { RuntimeProfile } from '@gatehouse-auth/contract'
import type { GeneratedAlways } from 'kysely'

export type Engine = 'sqlite' | 'postgres'

const PROFILES: Readonly<Record<Engine, RuntimeProfile>> = { sqlite: 'v1-1', postgres: 'v1-2' }

/**
 * The runtime profile of a tenant that is created on this engine (decision 11). It is stored with the tenant and only
 * reported: no code depends on it, so a tenant keeps its profile on whatever database it is read from.
 */
export const profileOf = (engine: Engine): RuntimeProfile => PROFILES[engine]

/** Ascending and never reused, not even after the row is deleted (docs/storage.md). */
export type Id<Kind extends number = number> = GeneratedAlways<Kind>
