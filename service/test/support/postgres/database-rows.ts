import { join } from 'node:path'
import { SQLITE_FILE } from '../../../src/storage/database-location.ts'
import type { StorageOptions } from '../../../src/storage/open.ts'
import type { World } from '../world.ts'
import { withConnection } from './storage.ts'

export type Rows = Readonly<Record<string, readonly Record<string, unknown>[]>>

const TABLES = {
  sqlite:
    "select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite_%' order by name",
  postgres:
    "select table_name as name from information_schema.tables where table_schema = 'public' order by 1",
} as const

/** All rows of this world's database, by table, with what is written some time after a response. */
export async function everyRow(at: World): Promise<Rows> {
  if (!at.stopped()) {
    await at.app.flush()
  }
  return rowsOf(databaseOf(at))
}

/** All rows of a database, by table. */
export const rowsOf = (database: StorageOptions['database']): Promise<Rows> =>
  withConnection(database, async (query) => {
    const rows: Record<string, Record<string, unknown>[]> = {}
    for (const { name } of await query(TABLES[database.engine])) {
      rows[String(name)] = await query(`select * from ${name}`)
    }
    return rows
  })

/** The database of this world. */
export const databaseOf = ({ config }: World): StorageOptions['database'] =>
  config.databaseUrl === null
    ? { engine: 'sqlite', file: join(config.dataDir, SQLITE_FILE) }
    : { engine: 'postgres', url: config.databaseUrl }
