import type { PostgresPool, PostgresPoolClient } from 'kysely'
import {
  DatabaseError,
  escapeLiteral,
  Pool,
  type PoolClient,
  type PoolConfig,
  type QueryResult,
} from 'pg'
import { OutcomeUnknown, Unavailable } from '../../domain/api-error.ts'
import type { PoolStats, Warn } from '../database.ts'
import { ConnectionLost, classifyError } from '../database-errors.ts'
import { type DetachedResult, detachRows } from './batches.ts'
import { type Hosts, tryHosts } from './connection/hosts.ts'
import type { Lineage } from './connection/lineage.ts'
import { ServerClient, type ServerConfig } from './connection/server-client.ts'

/** With a slow database, a longer queue would only add latency. */
const WAITING_MAX = 256

/** A pg pool for Kysely with a bounded queue, statements prepared once per connection, and classified errors. */
export class BoundedPool implements PostgresPool {
  readonly options: object
  readonly #pool: Pool
  readonly #hosts: Hosts
  readonly #lineage: Lineage
  readonly #isPooled: boolean
  readonly #closeMs: number
  readonly #nameOf: (sql: string) => string | undefined
  readonly #clients = new WeakMap<PoolClient, PostgresPoolClient>()
  readonly #connected = new Set<PoolClient>()
  #inUse = 0
  #closing = false
  #onIdle: (() => void) | undefined

  constructor(config: PoolConfig & ServerConfig, warn: Warn) {
    this.options = config
    this.#hosts = config.hosts
    this.#lineage = config.lineage
    this.#isPooled = config.isPooled === true
    this.#closeMs = config.timing.closeMs
    // pg's types leave out the argument: the pool passes its own options.
    this.#pool = new Pool({
      ...config,
      Client: ServerClient as unknown as NonNullable<PoolConfig['Client']>,
    })
    this.#nameOf = statementNames()
    // Without a handler, the error of an idle connection (a restart of PostgreSQL) would end the process.
    this.#pool.on('error', (error) =>
      warn('an idle PostgreSQL connection broke; it is replaced when needed', error),
    )
    this.#pool.on('connect', (client) => {
      this.#connected.add(client)
      // A connection that breaks between two statements of a transaction must not end it either: the next statement throws.
      client.on('error', () => {})
    })
    this.#pool.on('remove', (client) => this.#connected.delete(client))
  }

  get stats(): PoolStats {
    return {
      size: this.#pool.totalCount,
      idle: this.#pool.idleCount,
      waiting: this.#pool.waitingCount,
    }
  }

  async connect(): Promise<PostgresPoolClient> {
    if (this.#closing) {
      throw new Unavailable('the storage is closed')
    }
    if (this.#pool.waitingCount >= WAITING_MAX) {
      throw new Unavailable('too many requests are waiting for PostgreSQL')
    }
    this.#inUse += 1
    try {
      return this.#wrap(await this.#connect())
    } catch (error) {
      this.#released()
      throw classifyError(error)
    }
  }

  /** Closes connections to a former primary, one in each turn; the pool then opens a new one. */
  async #connect(): Promise<PoolClient> {
    for (;;) {
      const client = await tryHosts(this.#hosts, () => this.#pool.connect())
      if (!this.#lineage.isFormer(client)) {
        return client
      }
      client.release(true)
    }
  }

  /** Waits for running and queued work, and closes connections that hang. */
  async end(): Promise<void> {
    if (this.#closing) {
      return
    }
    this.#closing = true
    if (this.#inUse > 0) {
      const timer = setTimeout(() => {
        for (const client of this.#connected) {
          void client.end()
        }
      }, this.#closeMs)
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve
      })
      clearTimeout(timer)
    }
    await this.#pool.end()
  }

  /** Kysely identifies a connection by its object, so each client keeps one wrapper. */
  #wrap(client: PoolClient): PostgresPoolClient {
    const known = this.#clients.get(client)
    if (known !== undefined) {
      return known
    }
    const wrapped = new BoundedClient(client, {
      lineage: this.#lineage,
      nameOf: this.#nameOf,
      isPooled: this.#isPooled,
      released: () => this.#released(),
    })
    // The types of Kysely include cursors, which nothing uses.
    const asKyselyExpects = wrapped as unknown as PostgresPoolClient
    this.#clients.set(client, asKyselyExpects)
    return asKyselyExpects
  }

  #released(): void {
    this.#inUse -= 1
    if (this.#inUse === 0) {
      this.#onIdle?.()
    }
  }
}

interface BoundedClientOptions {
  readonly lineage: Lineage
  /** The name of a prepared statement; undefined: the statement is not prepared. */
  nameOf(sql: string): string | undefined
  readonly isPooled: boolean
  /** Called when the connection is back in the pool. */
  released(): void
}

/** One connection of the pool. A connection that broke executes nothing more, and is closed when it is released. */
class BoundedClient {
  readonly #client: PoolClient
  readonly #options: BoundedClientOptions
  #broken = false
  #inTransaction = false

  constructor(client: PoolClient, options: BoundedClientOptions) {
    this.#client = client
    this.#options = options
  }

  async query(text: string, values: readonly unknown[]): Promise<DetachedResult> {
    this.#assertUsable()
    try {
      const result = await this.#execute(text, values)
      this.#inTransaction = text === 'begin' || (this.#inTransaction && !ENDS_TRANSACTION.has(text))
      return detachRows(result)
    } catch (error) {
      this.#broken = !keepsConnection(error)
      throw this.#classify(error, text)
    }
  }

  release(destroy = false): void {
    this.#client.release(destroy || this.#broken)
    this.#options.released()
  }

  #assertUsable(): void {
    if (this.#broken) {
      throw new Unavailable('this PostgreSQL connection broke earlier')
    }
    // The former primary may still run: a commit there would be lost.
    this.#broken = this.#options.lineage.isFormer(this.#client)
    if (this.#broken) {
      throw new Unavailable('PostgreSQL was replaced by another server')
    }
  }

  async #execute(text: string, values: readonly unknown[]): Promise<QueryResult> {
    if (text === 'begin') {
      return this.#client.query(this.#begin())
    }
    if (values.length === 0) {
      return this.#client.query(text)
    }
    const name = this.#options.nameOf(text)
    const query = { text, values: [...values] }
    return this.#client.query(name === undefined ? query : { ...query, name })
  }

  /** A transaction that a pooler leads to a former primary fails here, before it writes. */
  #begin(): string {
    const { isPooled, lineage } = this.#options
    if (!isPooled) {
      return 'begin'
    }
    return `begin; select gatehouse_is_lineage_v1(${escapeLiteral(lineage.mark)})`
  }

  #classify(error: unknown, text: string): unknown {
    // PostgreSQL rolls back a transaction whose connection broke before the commit.
    const isRolledBack = this.#inTransaction && text !== 'commit'
    // A standby has executed nothing.
    const isOutcomeKnown = !this.#broken || isRolledBack || isFromStandby(error)
    return isOutcomeKnown ? classifyError(error) : connectionLost(error, text)
  }
}

const ENDS_TRANSACTION = new Set(['commit', 'rollback'])

/** A write outside a transaction commits itself, so its outcome is unknown; a commit is looked up (transactions.ts). */
function connectionLost(error: unknown, text: string): unknown {
  const classified = classifyError(error)
  if (!(classified instanceof Unavailable)) {
    return classified
  }
  if (/^(?:insert|update|delete) /.test(text)) {
    return new OutcomeUnknown({ cause: error })
  }
  return new ConnectionLost(classified.message, { cause: error })
}

/**
 * An error sent by PostgreSQL leaves the connection usable, unless the server ends it. Any other error does not: after a
 * client-side timeout the response may still arrive, and would be taken for that of the next query.
 */
const keepsConnection = (error: unknown): boolean =>
  error instanceof DatabaseError && !isFromStandby(error) && !ENDS_SESSION.test(error.code ?? '')

/** Connection errors (08), operator intervention (57P0) and idle_in_transaction_session_timeout (25P03). */
const ENDS_SESSION = /^(?:08|57P0|25P03)/

/**
 * A write on a standby, or a function that needs the primary ("recovery is in progress"). The connection must not return to the pool: it would fail every later write, also after the name leads to the primary again.
 */
const isFromStandby = (error: unknown): boolean =>
  error instanceof DatabaseError &&
  (error.code === READ_ONLY_SQL_TRANSACTION || error.code === OBJECT_NOT_IN_PREREQUISITE_STATE)

const READ_ONLY_SQL_TRANSACTION = '25006'
const OBJECT_NOT_IN_PREREQUISITE_STATE = '55000'

const NAMES_MAX = 500

/** Names each statement by its text. PostgreSQL would parse and plan an unnamed one at every call. */
function statementNames(): (sql: string) => string | undefined {
  const names = new Map<string, string>()
  return (sql) => {
    const known = names.get(sql)
    if (known !== undefined || names.size >= NAMES_MAX) {
      return known
    }
    const name = `gatehouse_${names.size}`
    names.set(sql, name)
    return name
  }
}
