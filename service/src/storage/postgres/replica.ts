import { Kysely, PostgresDialect, sql } from 'kysely'
import { Pool } from 'pg'
import type { ReadReplica, Warn } from '../database.ts'
import type { Tables } from '../tables/tables.ts'
import type { ServerConfig } from './connection/server-client.ts'

/** Lists and charts of the console are few beside sign-ins. */
const POOL_MAX = 4
/** After a read that could not use it. */
const RETRY_MS = 2_000

interface Position {
  readonly at: number
  readonly lsn: string
  readonly system: string
}

/**
 * A standby for lists, charts and exports (DATABASE_URL_REPLICA). Nothing that decides is read from it. Each read first checks
 * its own connection, because the next one may lead to another server: it must be a standby of the primary's system and lineage
 * that has replayed what the primary had written `replicaLagMs` ago. That compares positions of the primary, and no clocks.
 */
export class Replica implements ReadReplica {
  readonly #primary: Kysely<Tables>
  readonly #db: Kysely<Tables>
  readonly #config: ServerConfig
  readonly #warn: Warn
  /** Of the primary, the oldest first. */
  readonly #positions: Position[] = []
  readonly #timer: NodeJS.Timeout
  #unusableUntil = 0
  #problem: string | null = null

  /** `config`: its hosts are those of the replica, its lineage is that of the primary. */
  constructor(primary: Kysely<Tables>, config: ServerConfig, warn: Warn) {
    const { hosts, lineage, timing, ...connection } = config
    const limits = { max: POOL_MAX, idleTimeoutMillis: 30_000, allowExitOnIdle: true }
    const pool = new Pool({ ...connection, ...limits, connectionString: hosts.current })
    // Without a handler, the error of an idle connection would end the process; the next read notices it.
    pool.on('error', () => {})
    this.#db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
    this.#primary = primary
    this.#config = config
    this.#warn = warn
    void this.#recordPosition()
    this.#timer = setInterval(() => void this.#recordPosition(), timing.replicaPollMs).unref()
  }

  async read<T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<{ readonly value: T } | null> {
    if (performance.now() < this.#unusableUntil) {
      return null
    }
    try {
      const value = await this.#db.connection().execute(async (connection) => {
        await this.#check(connection)
        return work(connection)
      })
      this.#use(null)
      return { value }
    } catch (error) {
      this.#unusableUntil = performance.now() + RETRY_MS
      this.#use((error as Error).message)
      return null
    }
  }

  get isUsed(): boolean {
    return this.#problem === null
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#db.destroy()
  }

  async #check(connection: Kysely<Tables>): Promise<void> {
    const required = this.#requiredPosition()
    if (required === null) {
      throw new Error('the position of the primary is not known')
    }
    const { rows } = await sql<{
      standby: boolean
      system: string
      mark: string
      replayed: boolean
    }>`
      select pg_is_in_recovery() as standby, (select system_identifier::text from pg_control_system()) as system,
        (select mark from lineage where id = 1) as mark,
        pg_last_wal_replay_lsn() >= cast(${required.lsn} as pg_lsn) as replayed`.execute(connection)
    const [state] = rows
    if (state?.standby !== true) {
      throw new Error('it is not a standby')
    }
    if (state.system !== required.system || state.mark !== this.#config.lineage.mark) {
      throw new Error('it is a standby of another database')
    }
    if (!state.replayed) {
      throw new Error('it is too far behind the primary')
    }
  }

  /** The last one from at least `replicaLagMs` ago. null: the primary has not been heard from for that long. */
  #requiredPosition(): Position | null {
    const since = performance.now() - this.#config.timing.replicaLagMs
    const newest = this.#positions.at(-1)
    if (newest === undefined || newest.at < since) {
      return null
    }
    while ((this.#positions[1]?.at ?? since + 1) <= since) {
      this.#positions.shift()
    }
    return this.#positions[0] ?? null
  }

  async #recordPosition(): Promise<void> {
    const at = performance.now()
    try {
      const { rows } = await sql<Omit<Position, 'at'>>`select pg_current_wal_lsn()::text as lsn,
        (select system_identifier::text from pg_control_system()) as system`.execute(this.#primary)
      for (const row of rows) {
        this.#positions.push({ at, ...row })
      }
      this.#requiredPosition()
    } catch {
      // The feed and /readyz report an unreachable primary.
    }
  }

  #use(problem: string | null): void {
    if (problem === this.#problem) {
      return
    }
    this.#problem = problem
    this.#warn(
      problem === null
        ? 'lists are read from the replica again'
        : `lists are read from the primary: of the replica, ${problem}`,
    )
  }
}
