import type { Kysely } from 'kysely'
import { required } from './columns.ts'

/** PostgreSQL: has a row once `gatehouse move` has copied the database to SQLite. A SQLite file is renamed instead. */
export async function moved(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('moved').addColumn('at_ms', 'bigint', required).execute()
}
