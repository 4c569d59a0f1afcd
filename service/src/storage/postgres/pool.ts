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
import { detachRows } from './batches.ts'
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
      // The same for a connection that breaks between two statements of a transaction; the next statement throws.
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

  /** Each turn closes one connection to a former primary; the pool then opens a new one. */
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

  // Kysely identifies a connection by its object, so each client keeps one wrapper.
  #wrap(client: PoolClient): PostgresPoolClient {
    const known = this.#clients.get(client)
    if (known !== undefined) {
      return known
    }
    let broken = false
    let inTransaction = false
    const query = async (text: string, values: readonly unknown[]) => {
      if (broken) {
        throw new Unavailable('this PostgreSQL connection broke earlier')
      }
      // The former primary may still run: a commit there would be lost.
      broken = this.#lineage.isFormer(client)
      if (broken) {
        throw new Unavailable('PostgreSQL was replaced by another server')
      }
      try {
        const result = await this.#execute(client, text, values)
        inTransaction = text === 'begin' || (inTransaction && !ENDS_TRANSACTION.has(text))
        return detachRows(result)
      } catch (error) {
        broken = !keepsConnection(error)
        // PostgreSQL rolls back a transaction whose connection broke before the commit.
        const isRolledBack = inTransaction && text !== 'commit'
        // A standby has executed nothing, so the outcome is known.
        const isKnown = !broken || isRolledBack || isFromStandby(error)
        throw isKnown ? classifyError(error) : connectionLost(error, text)
      }
    }
    const wrapped = {
      query,
      release: (destroy?: boolean) => {
        client.release(destroy === true || broken)
        this.#released()
      },
    } as unknown as PostgresPoolClient
    this.#clients.set(client, wrapped)
    return wrapped
  }

  async #execute(
    client: PoolClient,
    text: string,
    values: readonly unknown[],
  ): Promise<QueryResult> {
    const name = values.length === 0 ? undefined : this.#nameOf(text)
    return client.query({
      text: text === 'begin' ? this.#begin() : text,
      values: values as unknown[],
      ...(name === undefined ? {} : { name }),
    })
  }

  /** A transaction that a pooler leads to a former primary fails here, before it writes. */
  #begin(): string {
    return this.#isPooled
      ? `begin; select gatehouse_is_lineage_v1(${escapeLiteral(this.#lineage.mark)})`
      : 'begin'
  }

  #released(): void {
    this.#inUse -= 1
    if (this.#inUse === 0) {
      this.#onIdle?.()
    }
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
  error instanceof DatabaseError &&
  !isFromStandby(error) &&
  !/^(?:08|57P0|25P03)/.test(error.code ?? '')

/**
 * A write on a standby (25006), or a function that needs the primary (55000, "recovery is in progress"). The connection must
 * not return to the pool: it would fail every later write, also after the name leads to the primary again.
 */
const isFromStandby = (error: unknown): boolean =>
  error instanceof DatabaseError && (error.code === '25006' || error.code === '55000')

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
