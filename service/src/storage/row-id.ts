import type { GeneratedAlways } from 'kysely'

/** Ascending and never reused, not even after the row is deleted (docs/storage.md). */
export type Id<Kind extends number = number> = GeneratedAlways<Kind>
