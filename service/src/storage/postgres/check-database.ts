import { type Kysely, sql } from 'kysely'
import type { ReplicationStats, Warn } from '../database.ts'
import { UnusableDatabase } from '../database-errors.ts'
import type { Tables } from '../tables/tables.ts'

interface Facts {
  readonly version: number
  readonly schema: string | null
  readonly may_create: boolean | null
  /** SQL that gives this role a schema of its own. */
  readonly own_schema: string
}

const FACTS = sql<Facts>`select current_setting('server_version_num')::int as version,
  current_schema() as schema, has_schema_privilege(current_schema(), 'create') as may_create,
  format('create schema %1$I authorization %1$I; alter role %1$I set search_path = %1$I', current_user)
    as own_schema`

export interface CheckedDatabase {
  /** The first schema of `search_path` that exists: all our SQL is unqualified. */
  readonly schema: string
  /** Throws if this role may not create tables. Only migrations and new versions of functions need that. */
  requireCreate(): void
  /** Returns which of these relations the schema has, except a table `migrations` with the columns of ours. */
  relations(names: readonly string[]): Promise<string[]>
  /** Throws: the tables of these names belong to another program. */
  refuseForeign(names: readonly string[]): never
}

/** Checks the version of the server and the schema, before anything is created. */
export async function checkDatabase<Tables>(db: Kysely<Tables>): Promise<CheckedDatabase> {
  await rejectOtherEngines(db)

  const { rows } = await FACTS.execute(db)
  const facts = rows[0] as Facts
  const problem = versionProblem(facts.version)
  if (problem !== null) {
    throw new UnusableDatabase(problem)
  }
  const { schema } = facts
  if (schema === null) {
    throw new UnusableDatabase(
      `search_path names no usable schema: none of its schemas exists, or this role may not use them. As an administrator, run in this database: ${facts.own_schema}`,
    )
  }
  return {
    schema,
    requireCreate() {
      if (facts.may_create === true) {
        return
      }
      throw new UnusableDatabase(
        `this role may not create tables in the schema ${schema}. As an administrator, run in this database: ${facts.own_schema}`,
      )
    },
    async relations(names) {
      const query = sql<Named>`select relname as name from pg_class
        where relnamespace = current_schema()::regnamespace and relname = any(${names})
          and (select string_agg(attname, ' ' order by attname) from pg_attribute
            where attrelid = pg_class.oid and attnum > 0 and not attisdropped) is distinct from 'name timestamp'
        order by relname`
      const found = await query.execute(db)
      return found.rows.map(({ name }) => name)
    },
    refuseForeign(names) {
      throw new UnusableDatabase(
        `the schema ${schema} has ${names.join(', ')} of another program. Name an empty database in DATABASE_URL or, as an administrator, run in this database: ${facts.own_schema}`,
      )
    },
  }
}

interface Named {
  readonly name: string
}

/** Runs first, with statements that every engine with this protocol understands. */
async function rejectOtherEngines<Tables>(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ version: string }>`select version() as version`.execute(db)
  const problem = engineProblem(rows[0]?.version ?? '')
  if (problem !== null) {
    throw new UnusableDatabase(problem)
  }

  const differences = await DIFFERENCES.execute(db)
  if (differences.rows.length > 0) {
    const names = differences.rows.map(({ name }) => name).join(', ')
    throw new UnusableDatabase(`${names}: ${NOT_ONE_SERVER}`)
  }
}

/** The feed of revocations reads by snapshot (decision 18). */
const NEEDED_FUNCTIONS = sql.lit(
  '{pg_current_xact_id,pg_current_snapshot,pg_snapshot_xmin,pg_xact_status,pg_is_in_recovery}',
)

/** Missing functions, and extensions that distribute the data. */
const DIFFERENCES = sql<Named>`select name from unnest(${NEEDED_FUNCTIONS}::text[]) as name
  where to_regproc('pg_catalog.' || name) is null union all
  select extname from pg_extension where extname in ('bdr', 'citus', 'spock')`

const NOT_ONE_SERVER =
  'this is a distributed or multi-master engine, or one without the snapshots of PostgreSQL. Revocations would be missed silently there. Use PostgreSQL 14 or newer with one primary (docs/scaling.md).'

/** `version`: the text of version(). PostgreSQL's own begins with its name; compatible engines add theirs. */
export function engineProblem(version: string): string | null {
  const [other] = OTHER_ENGINES.exec(version) ?? []
  if (other !== undefined) {
    const name = other === '-YB-' ? 'YugabyteDB' : other
    return `the server is ${name}: ${NOT_ONE_SERVER}`
  }
  return /^PostgreSQL \d/.test(version) ? null : `the server is not PostgreSQL: ${NOT_ONE_SERVER}`
}

const OTHER_ENGINES =
  /CockroachDB|Yugabyte|-YB-|Greenplum|Redshift|CrateDB|Materialize|RisingWave|QuestDB|Spanner|Cloudberry|openGauss/i

/** The first version that has `idle_session_timeout`. */
const OLDEST_MAJOR = 14

/** `version`: `server_version_num`, such as 150004. */
export function versionProblem(version: number): string | null {
  const major = Math.floor(version / 10_000)
  if (major >= OLDEST_MAJOR) {
    return null
  }
  return `the server is PostgreSQL ${major}, and Gatehouse needs ${OLDEST_MAJOR} or newer. Upgrade the server.`
}

interface Settings {
  readonly statement_timeout: string
  readonly idle_in_transaction_session_timeout: string
  readonly synchronous_commit: string
  readonly role: string
}

const SETTINGS = sql<Settings>`select current_setting('statement_timeout') as statement_timeout,
  current_setting('idle_in_transaction_session_timeout') as idle_in_transaction_session_timeout,
  current_setting('synchronous_commit') as synchronous_commit, format('%I', current_user) as role`

/** Warns of settings with which the service works, but keeps less than it promises. Asks on a connection of the pool. */
export async function checkSettings(db: Kysely<Tables>, warn: Warn): Promise<void> {
  const { rows } = await SETTINGS.execute(db)
  const settings = rows[0] as Settings
  // A pooler does not pass on the timeouts that we send with a connection.
  if (settings.statement_timeout === '0' || settings.idle_in_transaction_session_timeout === '0') {
    warn(
      `PostgreSQL limits the time of no statement or transaction of this role, so a slow one would keep its connection. Run: alter role ${settings.role} set statement_timeout = '5s'; alter role ${settings.role} set idle_in_transaction_session_timeout = '10s'`,
    )
  }
  if (settings.synchronous_commit === 'off') {
    warn(
      'synchronous_commit is off in PostgreSQL: if the server crashes, it loses changes that were confirmed, such as sign-outs, and assigns their ids again. Set it to on',
    )
  }
}

const REFRESH_AFTER_MS = 10_000

/**
 * The standbys that stream from the server. Every role sees how many there are; their state is empty unless the role is a
 * member of pg_monitor, so it is unknown then.
 */
const STANDBYS = sql<ReplicationStats>`select count(*)::int as standbys,
  case when count(*) = count(sync_state) then count(*) filter (where sync_state in ('sync', 'quorum'))::int end as synchronous
  from pg_stat_replication`

/** For metrics: returns what was read last, and reads again in the background. null: not read yet, or unreachable. */
export function replicationStats(
  db: Kysely<Tables>,
  now = () => performance.now(),
): () => ReplicationStats | null {
  let last: ReplicationStats | null = null
  let readAt = Number.NEGATIVE_INFINITY

  async function read(): Promise<void> {
    try {
      const { rows } = await STANDBYS.execute(db)
      last = rows[0] ?? null
    } catch {
      // /readyz and the feed report an unreachable database.
      last = null
    }
  }

  return () => {
    if (now() - readAt >= REFRESH_AFTER_MS) {
      readAt = now()
      void read()
    }
    return last
  }
}
