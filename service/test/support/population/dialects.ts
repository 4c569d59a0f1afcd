import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import type { StorageOptions } from '../../../src/storage/open.ts'

/** Where the two engines need other words, to make rows in bulk. */
export interface Dialect {
  run(sql: string): Promise<void>
  /** A row for each number, in a column `id`. */
  series(from: number, to: number): string
  pad(number: string): string
  salt(id: string): string
  /** `2026-01-31` from the number of a day. */
  day(number: string): string
  /** Comes between the columns and the rows. */
  readonly givenIds: string
  /** Indexes are made after the rows, by sorting: a tenth of the time. */
  dropIndexes(tables: readonly string[]): Promise<() => Promise<void>>
  /** Ids go on where the rows end, and the planner knows what there is. */
  finish(tables: readonly string[]): Promise<void>
  close(): Promise<void>
}

export const dialectOf = (database: StorageOptions['database']): Promise<Dialect> =>
  database.engine === 'sqlite' ? Promise.resolve(sqlite(database.file)) : postgres(database.url)

function sqlite(file: string): Dialect {
  // Generated data need not survive a power cut. `defensive` forbids the pragmas that say so; they end with this
  // connection.
  const db = new DatabaseSync(file, { defensive: false })
  db.exec(
    'pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -2000000; pragma temp_store = memory',
  )
  const run = async (sql: string): Promise<void> => db.exec(sql)
  return {
    run,
    series: (from, to) =>
      `(with recursive series(id) as (select ${from} union all select id + 1 from series where id < ${to}) select id from series)`,
    pad: (number) => `printf('%010d', ${number})`,
    salt: (id) => `unhex(printf('%024x', ${id}))`,
    day: (number) => `strftime('%Y-%m-%d', (${number}) * 86400, 'unixepoch')`,
    givenIds: '',
    async dropIndexes(tables) {
      const indexes = db
        .prepare(
          `select name, sql from sqlite_master where type = 'index' and sql is not null and tbl_name in (${list(tables)})`,
        )
        .all()
      for (const { name } of indexes) {
        db.exec(`drop index ${name}`)
      }
      return async () => {
        for (const { sql } of indexes) {
          db.exec(String(sql))
        }
      }
    },
    async finish() {
      db.exec('pragma journal_mode = wal')
    },
    async close() {
      db.close()
    },
  }
}

async function postgres(url: string): Promise<Dialect> {
  const client = new Client(url)
  await client.connect()
  const run = async (sql: string): Promise<void> => void (await client.query(sql))
  await run(
    "set synchronous_commit = off; set maintenance_work_mem = '1GB'; set work_mem = '256MB'",
  )
  return {
    run,
    series: (from, to) => `generate_series(${from}::bigint, ${to}::bigint) as series(id)`,
    pad: (number) => `lpad((${number})::text, 10, '0')`,
    salt: (id) => `decode(lpad(to_hex(${id}), 24, '0'), 'hex')`,
    day: (number) => `to_char(to_timestamp((${number}) * 86400) at time zone 'UTC', 'YYYY-MM-DD')`,
    givenIds: 'overriding system value',
    async dropIndexes(tables) {
      const { rows: keys } = await client.query<{
        table: string
        name: string
        definition: string
      }>(
        `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
          from pg_constraint where contype in ('p', 'u') and conrelid::regclass::text in (${list(tables)})`,
      )
      for (const { table, name } of keys) {
        await run(`alter table ${table} drop constraint ${name}`)
      }
      const { rows: indexes } = await client.query<{ name: string; definition: string }>(
        `select indexname as name, indexdef as definition from pg_indexes where tablename in (${list(tables)})`,
      )
      for (const { name } of indexes) {
        await run(`drop index ${name}`)
      }
      return async () => {
        for (const { table, name, definition } of keys) {
          await run(`alter table ${table} add constraint ${name} ${definition}`)
        }
        for (const { definition } of indexes) {
          await run(definition)
        }
      }
    },
    async finish(tables) {
      for (const table of tables) {
        await run(
          `select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`,
        )
      }
      await run('vacuum analyze')
      await run('checkpoint')
    },
    close: () => client.end(),
  }
}

const list = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ')
