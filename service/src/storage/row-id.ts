import type { GeneratedAlways } from 'kysely'

/** Ascending and never given twice, not even after the row is gone (docs/storage.md). */
export type Id<Kind extends number = number> = GeneratedAlways<Kind>
