import type { Client } from 'pg'
import type { Warn } from '../../database.ts'
import type { PostgresLocation } from '../../database-location.ts'
import { connectToPostgres, migratePostgres } from '../../postgres/open.ts'
import { rejectMoved, takeServiceLock } from '../../postgres/service-lock.ts'
import {
  BATCH_ROWS,
  type FoundSchema,
  type MovedTable,
  MoveRefused,
  type Row,
  type Side,
  type Source,
  type Target,
} from './sides.ts'

export async function postgresSource(
  location: PostgresLocation,
  now: number,
  warn: Warn,
): Promise<Source> {
  const client = await connectExclusively(location, warn)
  return {
    engine: 'postgres',
    name: POSTGRES,
    ...readsOf(client),
    async begin(tables) {
      await rejectMoved(client)
      await beginExclusively(client, tables)
    },
    async retire() {
      await client.query('insert into moved (at_ms) values ($1)', [now])
      await client.query('commit')
      return `${POSTGRES} keeps its rows and is marked as moved: the service refuses to start on it. Drop it when you no longer need it.`
    },
    close: () => client.end(),
  }
}

/** One transaction: all rows, or none. */
export async function postgresTarget(location: PostgresLocation, warn: Warn): Promise<Target> {
  const client = await connectExclusively(location, warn)
  const reads = readsOf(client)
  const types = new Map<string, string>()
  return {
    engine: 'postgres',
    name: POSTGRES,
    ...reads,
    async isBlank() {
      const { tables } = await reads.schema()
      return !tables.has('migrations') && !tables.has('tenants')
    },
    async begin(tables) {
      await migratePostgres(location, warn)
      const { rows } = await client.query<{ column: string; type: string }>(
        `select c.relname || '.' || a.attname as column, format_type(a.atttypid, null) as type
          from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
          where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')`,
      )
      for (const { column, type } of rows) {
        types.set(column, type)
      }
      await beginExclusively(client, tables)
      // An emptied database may be used again.
      await client.query('delete from moved')
    },
    /** One statement for all rows of the batch, with an array for each column. */
    async insert({ name, columns }: MovedTable, rows: readonly Row[]) {
      const arrays = columns.map((column, at) => `$${at + 1}::${types.get(`${name}.${column}`)}[]`)
      await client.query(
        `insert into ${name} (${columns.join()}) overriding system value select * from unnest(${arrays.join()})`,
        columns.map((_, at) => rows.map((row) => row[at])),
      )
    },
    /** Not `setval`, which a rollback would not undo. */
    async setPosition({ name }: MovedTable, position: number) {
      await client.query(`alter table ${name} alter column id restart with ${position + 1}`)
    },
    async raiseIdFloor(floor: number) {
      // Creates the row of this server.
      await client.query('select from gatehouse_fence_v1()')
      await client.query('update lineage set id_floor = greatest(id_floor, $1)', [floor])
    },
    async commit() {
      await client.query('commit')
    },
    close: () => client.end(),
  }
}

/** For messages. */
const POSTGRES = 'The PostgreSQL database'

/** Poolers need timeouts that are set for the role (docs/operating.md). A large table takes longer, and so does an fsync. */
const NO_TIMEOUTS = 'set statement_timeout = 0; set idle_in_transaction_session_timeout = 0'
const LOCK_TIMEOUT_MS = 2_000

/** One connection that holds the lock of the service exclusively. */
async function connectExclusively(location: PostgresLocation, warn: Warn): Promise<Client> {
  const client = await connect(location, warn)
  await client.query(NO_TIMEOUTS)
  if (await takeServiceLock(client)) {
    return client
  }
  await client.end()
  throw new MoveRefused(
    `A process serves the PostgreSQL database. Stop every instance, then try again. Nothing was moved.`,
  )
}

async function connect(location: PostgresLocation, warn: Warn): Promise<Client> {
  try {
    return await connectToPostgres(location, warn, 'gatehouse move')
  } catch (error) {
    const { message } = error as Error
    throw new MoveRefused(
      `${POSTGRES} cannot be used (${message}). See that DATABASE_URL is right.`,
    )
  }
}

/** Begins a transaction in which no other session can write to the tables. */
async function beginExclusively(client: Client, tables: readonly MovedTable[]): Promise<void> {
  const names = tables.map(({ name }) => name).join()
  await client.query('begin isolation level repeatable read')
  await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
  try {
    await client.query(`lock table ${names} in exclusive mode`)
  } catch (error) {
    if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) {
      throw error
    }
    throw new MoveRefused(
      `Another session uses tables of the PostgreSQL database. End it, then try again.`,
    )
  }
}

const LOCK_NOT_AVAILABLE = '55P03'

/** Reads of a PostgreSQL database, as a source and to verify a target. */
function readsOf(client: Client): Pick<Side, 'schema' | 'count' | 'rows' | 'position' | 'idFloor'> {
  return {
    async schema(): Promise<FoundSchema> {
      const { rows } = await client.query<{ table: string; columns: string[] }>(
        `select c.relname as table, array_agg(a.attname::text) as columns from pg_class c
          join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
          where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' group by c.relname`,
      )
      const tables = new Map(rows.map(({ table, columns }) => [table, columns]))
      const applied = tables.has('migrations')
        ? await client.query('select name from migrations')
        : { rows: [] }
      return { tables, migrations: applied.rows.map(({ name }) => String(name)) }
    },
    async count({ name }) {
      const { rows } = await client.query<{ count: number }>(
        `select count(*) as count from ${name}`,
      )
      return rows[0]?.count ?? 0
    },
    async *rows({ name, columns }: MovedTable): AsyncGenerator<readonly Row[]> {
      await client.query(
        `declare moved_rows no scroll cursor for select ${columns.join()} from ${name}`,
      )
      for (;;) {
        const { rows } = await client.query<Row[]>({
          text: `fetch ${BATCH_ROWS} from moved_rows`,
          rowMode: 'array',
        })
        if (rows.length === 0) {
          break
        }
        yield rows as unknown as Row[]
      }
      await client.query('close moved_rows')
    },
    async idFloor() {
      const { rows } = await client.query<{ id_floor: number }>('select id_floor from lineage')
      return rows[0]?.id_floor ?? 0
    },
    async position({ name }) {
      const found = await client.query(`select pg_get_serial_sequence('${name}', 'id') as name`)
      const [sequence] = found.rows
      const { rows } = await client.query<{ position: number }>(
        `select case when is_called then last_value else last_value - 1 end as position from ${sequence.name}`,
      )
      return rows[0]?.position ?? 0
    },
  }
}
