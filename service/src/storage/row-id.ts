import type { GeneratedAlways } from 'kysely'

/** Ascending and never given twice, not even after the row is gone (decision 17). */
export type Id<Kind extends number = number> = GeneratedAlways<Kind>
