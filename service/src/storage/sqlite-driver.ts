import { setTimeout as sleep } from 'node:timers/promises'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { Unavailable } from '../domain/unavailable.ts'
import { isBusy } from './failures.ts'
import type { SqliteFile, SqliteResult } from './sqlite-file.ts'

const BUSY_FOR_MS = 5_000
const RETRY_MAX_MS = 25

/** One connection for Kysely. Whoever comes while a transaction is open waits for its turn, first come, first served. */
export class SqliteDriver implements Driver {
  readonly #file: SqliteFile
  readonly #connection: DatabaseConnection
  readonly #waiting: (() => void)[] = []
  #taken = false
  #closing = false

  constructor(file: SqliteFile) {
    this.#file = file
    this.#connection = {
      async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
        // Inside a transaction the lock is ours. Outside, a statement that found it taken has done nothing.
        const { rows, changes } = file.inTransaction
          ? file.run(sql, parameters)
          : await patiently(file, sql, parameters)
        return { rows: rows as R[], ...(changes === undefined ? {} : { numAffectedRows: changes }) }
      },
      // biome-ignore lint/correctness/useYield: nothing streams; pages are read with a limit.
      async *streamQuery() {
        throw new Error('read pages instead of streaming')
      },
    }
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#closing) throw new Unavailable('the storage is closed')
    await this.#turn()
    return this.#connection
  }

  async releaseConnection(): Promise<void> {
    this.#next()
  }

  /** Plain `begin` takes the write lock late, and then fails at once when another process has it (decision 6). */
  async beginTransaction(): Promise<void> {
    await patiently(this.#file, 'begin immediate', [])
  }

  async commitTransaction(): Promise<void> {
    this.#file.run('commit', [])
  }

  /** A full disk or an I/O error has already rolled back. */
  async rollbackTransaction(): Promise<void> {
    if (this.#file.inTransaction) this.#file.run('rollback', [])
  }

  /** Those who wait already still get their turn; nobody new does. */
  async destroy(): Promise<void> {
    if (this.#closing) return
    this.#closing = true
    await this.#turn()
    this.#file.close()
  }

  // The turn passes from hand to hand without being free in between, so nobody can push in.

  async #turn(): Promise<void> {
    if (this.#taken) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#taken = true
  }

  #next(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#taken = false
    else next()
  }
}

/** Waits for another process's transaction without stopping everything else in this one. */
async function patiently(file: SqliteFile, sql: string, parameters: readonly unknown[]): Promise<SqliteResult> {
  const deadline = performance.now() + BUSY_FOR_MS
  for (let wait = 1; ; wait = Math.min(wait * 2, RETRY_MAX_MS)) {
    try {
      return file.run(sql, parameters)
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
      await sleep(wait)
    }
  }
}

/** SQLite can roll back what it did to a schema, so each start's migrations are one transaction. */
class Adapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
  /** Not really, but the driver keeps the queue itself: Kysely's own wakes everyone at every turn. */
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

export const sqliteDialect = (driver: SqliteDriver): Dialect => ({
  createDriver: () => driver,
  createQueryCompiler: () => new SqliteQueryCompiler(),
  createAdapter: () => new Adapter(),
  createIntrospector: (db) => new SqliteIntrospector(db),
})
