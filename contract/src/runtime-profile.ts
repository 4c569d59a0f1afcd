import { z } from 'zod'

/**
 * The engine and schema generation that a tenant's social-login data was born on. A tenant keeps its profile for
 * life; an upgrade adds a profile, it never moves data (spec, Versioning 6).
 */
export const RUNTIME_PROFILES = ['v1-1', 'v1-2'] as const

export type RuntimeProfile = (typeof RUNTIME_PROFILES)[number]

export const RuntimeProfileName = z.enum(RUNTIME_PROFILES)
