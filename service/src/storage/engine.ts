import type { RuntimeProfile } from '@gatehouse/contract'

export type Engine = 'sqlite' | 'postgres'

const PROFILES: Readonly<Record<Engine, RuntimeProfile>> = { sqlite: 'v1-1', postgres: 'v1-2' }

/**
 * The label that a new tenant gets on this engine (decision 11). It is stored with the tenant and only reported: nothing
 * is looked up by it, so a tenant keeps its label and works on whatever database it is read from.
 */
export const profileOf = (engine: Engine): RuntimeProfile => PROFILES[engine]
