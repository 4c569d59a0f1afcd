import type { GeneratedAlways } from 'kysely'

/** Ascending and never given twice, not even after the row is gone (security, 2l). */
export type Id = GeneratedAlways<number>
