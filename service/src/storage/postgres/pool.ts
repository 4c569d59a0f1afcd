import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { DatabaseError, Pool, type PoolClient, type PoolConfig } from 'pg'
import { Unavailable } from '../../domain/unavailable.ts'
import type { PoolStats, Warn } from '../database.ts'
import { classifyError } from '../database-errors.ts'
import { detachRows } from './detach-rows.ts'

/** Behind a slow database a longer queue only makes everyone later. */
const WAITING_MAX = 256
const CLOSE_WITHIN_MS = 10_000

/** A pg pool as Kysely wants it: a bounded queue, statements prepared once per connection, errors with a meaning. */
export class BoundedPool implements PostgresPool {
  readonly options: object
  readonly #pool: Pool
  readonly #name: (sql: string) => string | undefined
  readonly #clients = new WeakMap<PoolClient, PostgresPoolClient>()
  readonly #connected = new Set<PoolClient>()
  #inUse = 0
  #closing = false
  #idle: (() => void) | undefined

  constructor(config: PoolConfig, warn: Warn) {
    this.options = config
    this.#pool = new Pool(config)
    this.#name = statementNames()
    // Without a listener a restart of PostgreSQL, which breaks idle connections, would end the process.
    this.#pool.on('error', (error) => warn('an idle PostgreSQL connection broke; it is replaced when needed', error))
    this.#pool.on('connect', (client) => {
      this.#connected.add(client)
      // Nor may one that breaks between two statements of a transaction; the next statement says so.
      client.on('error', () => {})
    })
    this.#pool.on('remove', (client) => this.#connected.delete(client))
  }

  get stats(): PoolStats {
    return { size: this.#pool.totalCount, idle: this.#pool.idleCount, waiting: this.#pool.waitingCount }
  }

  async connect(): Promise<PostgresPoolClient> {
    if (this.#closing) throw new Unavailable('the storage is closed')
    if (this.#pool.waitingCount >= WAITING_MAX) throw new Unavailable('too many are waiting for PostgreSQL')
    this.#inUse += 1
    try {
      return this.#wrap(await this.#pool.connect())
    } catch (error) {
      this.#released()
      throw classifyError(error)
    }
  }

  /** Work in flight, and those who wait already, come to their end; a connection that hangs does not hold us up. */
  async end(): Promise<void> {
    if (this.#closing) return
    this.#closing = true
    if (this.#inUse > 0) {
      const timer = setTimeout(() => {
        for (const client of this.#connected) void client.end()
      }, CLOSE_WITHIN_MS)
      await new Promise<void>((resolve) => {
        this.#idle = resolve
      })
      clearTimeout(timer)
    }
    await this.#pool.end()
  }

  // Kysely knows a connection by its object, so each has one wrapper for life.
  #wrap(client: PoolClient): PostgresPoolClient {
    const known = this.#clients.get(client)
    if (known !== undefined) return known
    let broken = false
    const query = async (text: string, values: readonly unknown[]) => {
      if (broken) throw new Unavailable('this PostgreSQL connection broke earlier')
      const name = values.length === 0 ? undefined : this.#name(text)
      try {
        return detachRows(
          await client.query({ text, values: values as unknown[], ...(name === undefined ? {} : { name }) }),
        )
      } catch (error) {
        broken = !leavesConnection(error)
        throw classifyError(error)
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

  #released(): void {
    this.#inUse -= 1
    if (this.#inUse === 0) this.#idle?.()
  }
}

/**
 * An error that PostgreSQL sent leaves the connection usable, unless it is a farewell. Any other does not, a timeout on
 * our side least of all: the answer may still come, and would be taken for the answer to the next question.
 */
const leavesConnection = (error: unknown): boolean =>
  error instanceof DatabaseError && !/^(?:08|57P0|25P03)/.test(error.code ?? '')

const NAMES_MAX = 500

/** The same name for the same text on every connection. Unnamed, each statement is parsed and planned anew. */
function statementNames(): (sql: string) => string | undefined {
  const names = new Map<string, string>()
  return (sql) => {
    const known = names.get(sql)
    if (known !== undefined || names.size >= NAMES_MAX) return known
    const name = `gatehouse_${names.size}`
    names.set(sql, name)
    return name
  }
}
