import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import { Unavailable } from '../../domain/api-error.ts'
import { isBusy, NotStored } from '../database-errors.ts'
import { TIMING } from '../timing.ts'
import { CommitGroup, type EarlyCommit } from './commit-group.ts'
import { type Durability, NOT_AWAITED } from './durability.ts'
import { type SqliteFile, type SqliteResult, withBusyRetry } from './file.ts'

/** Runs one statement synchronously. */
export type RunStatement = SqliteFile['run']

export interface SqliteDriverOptions {
  readonly durability?: Durability
  readonly readOnly?: boolean
  readonly lostWrite?: (error: unknown) => void
  /** How long a statement waits for the write lock of another process. */
  readonly busyMs?: number
}

/**
 * One connection for Kysely, used by one caller at a time. Every caller passes it on as soon as it has written or read, and
 * then waits until that is durable: a result or an error that depends on a commit which a power failure can still undo must
 * not leave the driver (decision 64).
 */
export class SqliteDriver implements Driver {
  readonly #file: SqliteFile
  readonly #group: CommitGroup
  readonly #readOnly: boolean
  readonly #busyMs: number
  readonly #queue = new ConnectionQueue()
  #closing = false
  #commitIsDue = false
  #commitIsScheduled = false

  constructor(file: SqliteFile, options: SqliteDriverOptions = {}) {
    const {
      durability = NOT_AWAITED,
      readOnly = false,
      lostWrite = () => {},
      busyMs = TIMING.busyMs,
    } = options
    this.#file = file
    this.#readOnly = readOnly
    this.#busyMs = busyMs
    this.#group = new CommitGroup(file, { durability, lostWrite, busyMs })
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Lease> {
    if (this.#closing) {
      throw new Unavailable('the storage is closed')
    }
    await this.#queue.acquire()
    return new Lease((lease, query) => this.execute(lease, query))
  }

  async releaseConnection(lease: Lease): Promise<void> {
    this.release(lease)
  }

  release(lease: Lease): void {
    if (lease.isReleased) {
      return
    }
    lease.isReleased = true
    this.#passOn()
  }

  async beginTransaction(lease: Lease): Promise<void> {
    await this.#hold(lease)
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
    if (!lease.inTransaction) {
      return
    }
    lease.inTransaction = false
    await this.#rollBack(lease)
  }

  /**
   * Runs a transaction whose work is synchronous, so that it never holds the connection while it waits, and decides before it
   * writes. It has no savepoint: an error after its first write fails every member of the group.
   */
  runSync<T>(work: (run: RunStatement) => T): Promise<T> {
    return this.#runSyncUntil(work, () => this.#group.join())
  }

  /** As `runSync`, but resolves before the commit is durable, as `commitEarly` does. */
  runSyncEarly<T>(work: (run: RunStatement) => T): Promise<T> {
    return this.#runSyncUntil(work, () => this.#group.joinEarly().committed)
  }

  async #runSyncUntil<T>(
    work: (run: RunStatement) => T,
    joinGroup: () => Promise<void>,
  ): Promise<T> {
    const lease = await this.acquireConnection()
    try {
      await this.#group.open()
      this.#commitSoon()
      const result = await this.#runUnprotected(lease, work)
      await this.#passOnUntil(lease, joinGroup())
      return result
    } finally {
      this.release(lease)
    }
  }

  /** Commits, and resolves before that is durable. Later commits and reads still wait for it. */
  async commitEarly(lease: Lease): Promise<EarlyCommit> {
    lease.inTransaction = false
    this.#assertStillOpen()
    const early = this.#group.finishEarly()
    this.#commitSoon()
    await this.#passOnUntil(lease, early.committed)
    return early
  }

  /** Runs a statement of an open transaction. */
  runIn(lease: Lease, sql: string, parameters: readonly unknown[]): SqliteResult {
    this.assertIn(lease)
    this.#assertStillOpen()
    return this.#file.run(sql, parameters)
  }

  assertIn(lease: Lease): void {
    if (!lease.inTransaction) {
      throw new Error('the transaction has ended')
    }
  }

  /**
   * Reads outside a transaction, without a promise if everything that it can have seen is durable. undefined: the connection
   * is in use or busy, so another one must read.
   */
  tryRead(
    sql: string,
    parameters: readonly unknown[],
  ): SqliteResult | Promise<SqliteResult> | undefined {
    if (this.#queue.inUse || this.#closing) {
      return undefined
    }
    try {
      const result = this.#file.run(sql, parameters)
      const durable = this.#group.seen()
      return durable === undefined ? result : durable.then(() => result)
    } catch (error) {
      if (isBusy(error)) {
        return undefined
      }
      throw error
    }
  }

  /** Executes a query of Kysely. */
  async execute(lease: Lease, query: CompiledQuery): Promise<SqliteResult> {
    if (lease.inTransaction) {
      this.#assertStillOpen()
      return this.#file.run(query.sql, query.parameters)
    }
    await this.#hold(lease)
    if (this.#readOnly || isRead(query)) {
      return this.#read(lease, query)
    }
    return this.#write(lease, query)
  }

  /** Queued callers still get the connection; new ones are rejected. */
  async destroy(): Promise<void> {
    if (this.#closing) {
      return
    }
    this.#closing = true
    await this.#queue.acquire()
    this.#commitNow()
    this.#file.close()
  }

  async #runUnprotected<T>(lease: Lease, work: (run: RunStatement) => T): Promise<T> {
    let hasWritten = false
    try {
      return work((sql, parameters) => {
        const result = this.#file.run(sql, parameters)
        hasWritten ||= result.changes !== undefined
        return result
      })
    } catch (error) {
      // A statement that fails has changed nothing.
      if (hasWritten) {
        this.#group.rollBackAll()
      }
      await this.#passOnRejected(lease)
      throw error
    }
  }

  async #read(lease: Lease, { sql, parameters }: CompiledQuery): Promise<SqliteResult> {
    // Some pragmas fail inside a transaction.
    this.#commitNow()
    const result = await withBusyRetry(this.#file, sql, parameters, this.#busyMs)
    await this.#passOnUntil(lease, this.#group.seen())
    return result
  }

  async #write(lease: Lease, { sql, parameters }: CompiledQuery): Promise<SqliteResult> {
    await this.#group.begin()
    let result: SqliteResult
    try {
      result = this.#file.run(sql, parameters)
    } catch (error) {
      await this.#rollBack(lease)
      throw error
    }
    await this.#finish(lease)
    return result
  }

  async #rollBack(lease: Lease): Promise<void> {
    this.#group.rollBack()
    await this.#passOnRejected(lease)
  }

  /** The caller gets its error when everything that the transaction has read is durable, because the error depends on it. */
  async #passOnRejected(lease: Lease): Promise<void> {
    try {
      await this.#passOnUntil(lease, this.#group.seen())
    } catch (error) {
      throw new NotStored('what the transaction has read was not stored', { cause: error })
    }
  }

  /** After an I/O error that rolled back the transaction, later statements would otherwise run outside any. */
  #assertStillOpen(): void {
    if (!this.#group.isOpen()) {
      throw new Unavailable('an I/O error rolled back the transaction')
    }
  }

  async #finish(lease: Lease): Promise<void> {
    const durable = this.#group.finish()
    this.#commitSoon()
    await this.#passOnUntil(lease, durable)
  }

  /** Passes the connection on, and waits. undefined: everything is durable already, and the caller keeps the connection. */
  async #passOnUntil(lease: Lease, durable: Promise<void> | undefined): Promise<void> {
    if (durable === undefined) {
      return
    }
    lease.isReleased = true
    this.#passOn()
    await durable
  }

  /** Commits after all callers of this turn of the event loop have had the connection. */
  #commitSoon(): void {
    if (this.#commitIsScheduled) {
      return
    }
    this.#commitIsScheduled = true
    setImmediate(() => {
      this.#commitIsScheduled = false
      if (this.#queue.inUse) {
        this.#commitIsDue = true
      } else {
        this.#commitNow()
      }
    })
  }

  #commitNow(): void {
    this.#commitIsDue = false
    this.#group.commit()
  }

  async #hold(lease: Lease): Promise<void> {
    if (!lease.isReleased) {
      return
    }
    await this.#queue.acquire()
    lease.isReleased = false
  }

  #passOn(): void {
    if (this.#commitIsDue || this.#group.isFull) {
      this.#commitNow()
    }
    this.#queue.passOn()
  }
}

/** Any other query runs in a transaction, because its caller must wait for the commit. */
function isRead({ query, sql }: CompiledQuery): boolean {
  if (query.kind === 'SelectQueryNode') {
    return true
  }
  return query.kind === 'RawNode' && /^\s*(?:select|pragma)\b/i.test(sql)
}

/** A result as Kysely expects it. */
export function queryResult<R>({ rows, changes }: SqliteResult): QueryResult<R> {
  if (changes === undefined) {
    return { rows: rows as R[] }
  }
  return { rows: rows as R[], numAffectedRows: changes }
}

type Execute = (lease: Lease, query: CompiledQuery) => Promise<SqliteResult>

/** The connection while one caller uses it. */
class Lease implements DatabaseConnection {
  readonly #execute: Execute
  inTransaction = false
  /** The connection is passed on already: a writer that waits for its commit no longer uses it. */
  isReleased = false

  constructor(execute: Execute) {
    this.#execute = execute
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const result = await this.#execute(this, query)
    return queryResult<R>(result)
  }

  // biome-ignore lint/correctness/useYield: nothing streams; pages are read with a limit.
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('read pages instead of streaming')
  }
}

/**
 * Callers that use one connection in turn, first in, first out. It passes directly to the next caller and is never free in
 * between, which keeps the order.
 */
export class ConnectionQueue {
  readonly #waiting: (() => void)[] = []
  #inUse = false

  get inUse(): boolean {
    return this.#inUse
  }

  async acquire(): Promise<void> {
    if (this.#inUse) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    this.#inUse = true
  }

  passOn(): void {
    const next = this.#waiting.shift()
    if (next === undefined) {
      this.#inUse = false
    } else {
      next()
    }
  }
}
