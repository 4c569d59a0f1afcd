import * as z from 'zod'

/**
 * The storage generation that a tenant was created on: `v1-1` SQLite, `v1-2` PostgreSQL. A tenant keeps its profile
 * permanently; an upgrade may add a profile but never moves data (spec, Versioning 6).
 */
export const RUNTIME_PROFILES = ['v1-1', 'v1-2'] as const

export type RuntimeProfile = (typeof RUNTIME_PROFILES)[number]

export const RuntimeProfileName = z.enum(RUNTIME_PROFILES)
