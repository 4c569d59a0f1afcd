import type { CompiledQuery, Kysely, QueryResult } from 'kysely'
import type { Tables } from './tables/tables.ts'

/** Runs a compiled query. Without a promise if there is nothing to wait for. */
export type DirectRun = <R>(query: CompiledQuery<R>) => QueryResult<R> | Promise<QueryResult<R>>

const directRuns = new WeakMap<Kysely<Tables>, DirectRun>()

/**
 * Lets statements run on the connection behind `db` without Kysely's executor, whose promises and connection providers cost
 * more than most statements on SQLite (docs/hot-path.md). Queries that are not statements still use it.
 */
export function runDirectly<T extends Kysely<Tables>>(db: T, run: DirectRun): T {
  directRuns.set(db, run)
  return db
}

export const directRunOf = (db: Kysely<Tables>): DirectRun | undefined => directRuns.get(db)
