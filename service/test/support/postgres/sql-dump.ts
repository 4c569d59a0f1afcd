import { Kysely, PostgresDialect } from 'kysely'
import { Client } from 'pg'
import { migrate } from '../../../src/storage/migrate.ts'
import { serverConfig } from '../../../src/storage/postgres/connection/server-config.ts'
import { BoundedPool } from '../../../src/storage/postgres/pool.ts'
import type { Tables } from '../../../src/storage/tables/tables.ts'
import { TIMING } from '../../../src/storage/timing.ts'
import { emptyPostgres } from './engines.ts'
import { TEST_TIMING } from './storage.ts'

/**
 * A database of this build as SQL: the statements of its migrations and functions, all rows, and the positions of all
 * sequences. pg_dump does the same, but the package of the test server doesn't have it.
 */
export async function sqlDump(url: string): Promise<string> {
  const statements = [...(await schemaStatements()), 'set session_replication_role = replica']
  const client = new Client(url)
  await client.connect()
  try {
    const list = async (sql: string): Promise<Record<string, unknown>[]> =>
      (await client.query(sql)).rows
    const tables = `select quote_ident(table_name) as name from information_schema.tables
      where table_schema = current_schema() and table_type = 'BASE TABLE' order by 1`
    for (const { name } of await list(tables)) {
      for (const { row } of await list(
        `select quote_literal(each::text) as row from ${name} each`,
      )) {
        statements.push(`insert into ${name} overriding system value select (${row}::${name}).*`)
      }
    }
    const sequences = `select quote_literal(sequencename) as name, last_value from pg_sequences
      where schemaname = current_schema() and last_value is not null order by 1`
    for (const { name, last_value } of await list(sequences)) {
      statements.push(`select setval(${name}, ${last_value})`)
    }
  } finally {
    await client.end()
  }
  return statements.map((statement) => `${statement.trim()};\n`).join('\n')
}

/** What a start on an empty database executes, without the rows that it inserts. */
async function schemaStatements(): Promise<string[]> {
  const statements: string[] = []
  const options = { ...TIMING, ...TEST_TIMING }
  const pool = new BoundedPool(
    { ...serverConfig(await emptyPostgres(), () => {}, options), max: 1 },
    () => {},
  )
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query: { sql } }) => {
      if (/^\s*(?:--.*\n\s*)*(?:create|alter|comment|drop)\b/i.test(sql)) {
        statements.push(sql)
      }
    },
  })
  try {
    await migrate(db, 'postgres')
  } finally {
    await db.destroy()
  }
  return statements
}
