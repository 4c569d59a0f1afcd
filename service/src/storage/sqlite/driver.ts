import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import { Unavailable } from '../../domain/unavailable.ts'
import { withBusyRetry } from './busy-retry.ts'
import { CommitGroup } from './commit-group.ts'
import type { SqliteFile, SqliteResult } from './file.ts'

/** Runs one statement synchronously. */
export type RunStatement = SqliteFile['run']

export interface SqliteDriverOptions {
  readonly lostWrite?: (error: unknown) => void
}

/**
 * One connection for Kysely, used by one caller at a time in first-in, first-out order. A writer passes the connection on
 * as soon as it has written, and then waits for the group commit that makes its writes durable.
 */
export class SqliteDriver implements Driver {
  readonly #file: SqliteFile
  readonly #group: CommitGroup
  readonly #waiting: (() => void)[] = []
  #inUse = false
  #closing = false
  #commitIsDue = false
  #commitIsScheduled = false

  constructor(file: SqliteFile, { lostWrite = () => {} }: SqliteDriverOptions = {}) {
    this.#file = file
    this.#group = new CommitGroup(file, lostWrite)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Lease> {
    if (this.#closing) throw new Unavailable('the storage is closed')
    await this.#acquire()
    return new Lease(this)
  }

  async releaseConnection(lease: Lease): Promise<void> {
    if (!lease.isReleased) this.#passOn()
  }

  async beginTransaction(lease: Lease): Promise<void> {
    await this.#group.begin()
    lease.inTransaction = true
  }

  async commitTransaction(lease: Lease): Promise<void> {
    lease.inTransaction = false
    this.#assertStillOpen()
    await this.#finish(lease)
  }

  /** After a failed commit there is nothing to roll back, and the connection may already be in use by another caller. */
  async rollbackTransaction(lease: Lease): Promise<void> {
    if (lease.inTransaction) this.#group.rollBack()
    lease.inTransaction = false
  }

  /** Runs a transaction whose work is synchronous, so that it never holds the connection while it waits. */
  async runSync<T>(work: (run: RunStatement) => T): Promise<T> {
    const lease = await this.acquireConnection()
    try {
      await this.#group.begin()
      const result = this.#rollBackOnError(() => work(this.#file.run))
      await this.#finish(lease)
      return result
    } finally {
      await this.releaseConnection(lease)
    }
  }

  /** Executes a query of Kysely. */
  async execute(lease: Lease, { sql, parameters, query }: CompiledQuery): Promise<SqliteResult> {
    if (lease.inTransaction) {
      this.#assertStillOpen()
      return this.#file.run(sql, parameters)
    }
    if (lease.isReleased) {
      await this.#acquire()
      lease.isReleased = false
    }
    if (!WRITES.has(query.kind)) {
      // A read must see only durable writes, and some pragmas fail inside a transaction.
      this.#commitNow()
      return withBusyRetry(this.#file, sql, parameters)
    }
    await this.#group.begin()
    const result = this.#rollBackOnError(() => this.#file.run(sql, parameters))
    await this.#finish(lease)
    return result
  }

  /** Queued callers still get the connection; new ones are rejected. */
  async destroy(): Promise<void> {
    if (this.#closing) return
    this.#closing = true
    await this.#acquire()
    this.#commitNow()
    this.#file.close()
  }

  #rollBackOnError<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      this.#group.rollBack()
      throw error
    }
  }

  /** After an I/O error that rolled back the transaction, later statements would otherwise run outside any. */
  #assertStillOpen(): void {
    if (!this.#group.isOpen()) throw new Unavailable('an I/O error rolled back the transaction')
  }

  async #finish(lease: Lease): Promise<void> {
    const durable = this.#group.finish()
    lease.isReleased = true
    this.#commitSoon()
    this.#passOn()
    await durable
  }

  /** Commits after all callers of this turn of the event loop have had the connection. */
  #commitSoon(): void {
    if (this.#commitIsScheduled) return
    this.#commitIsScheduled = true
    setImmediate(() => {
      this.#commitIsScheduled = false
      if (this.#inUse) this.#commitIsDue = true
      else this.#commitNow()
    })
  }

  #commitNow(): void {
    this.#commitIsDue = false
    this.#group.commit()
  }

  // The connection passes directly to the next caller and is never free in between, which keeps the order.

  async #acquire(): Promise<void> {
    if (this.#inUse) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#inUse = true
  }

  #passOn(): void {
    if (this.#commitIsDue || this.#group.isFull) this.#commitNow()
    const next = this.#waiting.shift()
    if (next === undefined) this.#inUse = false
    else next()
  }
}

const WRITES: ReadonlySet<string> = new Set(['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode'])

/** The connection while one caller uses it. */
class Lease implements DatabaseConnection {
  readonly #driver: SqliteDriver
  inTransaction = false
  /** Passed on already: a writer that waits for its commit no longer uses the connection. */
  isReleased = false

  constructor(driver: SqliteDriver) {
    this.#driver = driver
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, changes } = await this.#driver.execute(this, query)
    return { rows: rows as R[], ...(changes === undefined ? {} : { numAffectedRows: changes }) }
  }

  // biome-ignore lint/correctness/useYield: nothing streams; pages are read with a limit.
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('read pages instead of streaming')
  }
}
