import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import type { SqliteResult } from './file.ts'

type Execute = (lease: Lease, query: CompiledQuery) => Promise<SqliteResult>

/** The connection while one caller uses it. */
export class Lease implements DatabaseConnection {
  readonly #execute: Execute
  inTransaction = false
  /** Passed on already: a writer that waits for its commit no longer uses the connection. */
  isReleased = false

  constructor(execute: Execute) {
    this.#execute = execute
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, changes } = await this.#execute(this, query)
    return { rows: rows as R[], ...(changes === undefined ? {} : { numAffectedRows: changes }) }
  }

  // biome-ignore lint/correctness/useYield: nothing streams; pages are read with a limit.
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('read pages instead of streaming')
  }
}
