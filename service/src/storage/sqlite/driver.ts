import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import { Unavailable } from '../../domain/unavailable.ts'
import { withBusyRetry } from './busy-retry.ts'
import { CommitGroup } from './commit-group.ts'
import type { SqliteFile, SqliteResult } from './file.ts'

/** Runs one statement of a transaction, at once. */
export type RunStatement = SqliteFile['run']

export interface SqliteDriverOptions {
  readonly lostWrite?: (error: unknown) => void
}

/**
 * One connection for Kysely. Whoever comes while another has it waits for its turn, first come, first served. Writers
 * hand the turn on as soon as they are done, and then wait together for the commit that makes all of it durable.
 */
export class SqliteDriver implements Driver {
  readonly #file: SqliteFile
  readonly #group: CommitGroup
  readonly #waiting: (() => void)[] = []
  #taken = false
  #closing = false
  #commitIsDue = false
  #commitIsComing = false

  constructor(file: SqliteFile, { lostWrite = () => {} }: SqliteDriverOptions = {}) {
    this.#file = file
    this.#group = new CommitGroup(file, lostWrite)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Turn> {
    if (this.#closing) throw new Unavailable('the storage is closed')
    await this.#take()
    return new Turn(this)
  }

  async releaseConnection(turn: Turn): Promise<void> {
    if (!turn.isOver) this.#handOn()
  }

  async beginTransaction(turn: Turn): Promise<void> {
    await this.#group.enter()
    turn.inTransaction = true
  }

  async commitTransaction(turn: Turn): Promise<void> {
    turn.inTransaction = false
    this.#assertStillOpen()
    await this.#leave(turn)
  }

  /** After a commit that failed there is nothing left to undo, and by now the turn may be somebody else's. */
  async rollbackTransaction(turn: Turn): Promise<void> {
    if (turn.inTransaction) this.#group.abandon()
    turn.inTransaction = false
  }

  /** A transaction that never waits for anything: no turn is kept while others could use it. */
  async runSync<T>(work: (run: RunStatement) => T): Promise<T> {
    const turn = await this.acquireConnection()
    try {
      await this.#group.enter()
      const result = this.#undoneByErrors(() => work(this.#file.run))
      await this.#leave(turn)
      return result
    } finally {
      await this.releaseConnection(turn)
    }
  }

  /** What Kysely asks of a connection. */
  async execute(turn: Turn, { sql, parameters, query }: CompiledQuery): Promise<SqliteResult> {
    if (turn.inTransaction) {
      this.#assertStillOpen()
      return this.#file.run(sql, parameters)
    }
    if (turn.isOver) {
      await this.#take()
      turn.isOver = false
    }
    if (!WRITES.has(query.kind)) {
      // A read sees only what is durable, and a pragma may refuse to run inside a transaction.
      this.#commitNow()
      return withBusyRetry(this.#file, sql, parameters)
    }
    await this.#group.enter()
    const result = this.#undoneByErrors(() => this.#file.run(sql, parameters))
    await this.#leave(turn)
    return result
  }

  /** Those who wait already still get their turn; nobody new does. */
  async destroy(): Promise<void> {
    if (this.#closing) return
    this.#closing = true
    await this.#take()
    this.#commitNow()
    this.#file.close()
  }

  #undoneByErrors<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      this.#group.abandon()
      throw error
    }
  }

  /** Without this, what follows an I/O error that undid the transaction would be done outside of any. */
  #assertStillOpen(): void {
    if (!this.#group.isOpen()) throw new Unavailable('an I/O error undid the transaction')
  }

  async #leave(turn: Turn): Promise<void> {
    const durable = this.#group.leave()
    turn.isOver = true
    this.#commitSoon()
    this.#handOn()
    await durable
  }

  /** When all that has arrived in this round of the event loop has had its turn; it costs nobody any waiting. */
  #commitSoon(): void {
    if (this.#commitIsComing) return
    this.#commitIsComing = true
    setImmediate(() => {
      this.#commitIsComing = false
      if (this.#taken) this.#commitIsDue = true
      else this.#commitNow()
    })
  }

  #commitNow(): void {
    this.#commitIsDue = false
    this.#group.commit()
  }

  // The turn passes from hand to hand without being free in between, so nobody can push in.

  async #take(): Promise<void> {
    if (this.#taken) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#taken = true
  }

  #handOn(): void {
    if (this.#commitIsDue || this.#group.isFull) this.#commitNow()
    const next = this.#waiting.shift()
    if (next === undefined) this.#taken = false
    else next()
  }
}

const WRITES: ReadonlySet<string> = new Set(['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode'])

/** The connection, in the hands of one caller. */
class Turn implements DatabaseConnection {
  readonly #driver: SqliteDriver
  inTransaction = false
  /** Handed on already: a writer that waits for its commit needs the connection no more. */
  isOver = false

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
