import { type Kysely, sql } from 'kysely'
import type { Engine } from '../profiles.ts'
import { columnsOf, required } from './columns.ts'

/** Append-only until swept: an update would keep its place in the feed and be missed (decision 18). */
export async function notices(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { integer, id, end } = columnsOf(engine)

  await db.schema
    .createTable('notices')
    .addColumn('id', integer, id)
    .addColumn('kind', 'text', required)
    .addColumn('tenant_id', 'text', required)
    .addColumn('subject_id', integer)
    .addColumn('generation', 'integer')
    .addColumn('until_ms', integer, required)
    .$call(end)
    .execute()
  await db.schema.createIndex('notices_until').on('notices').column('until_ms').execute()

  if (engine === 'postgres') {
    // Sequences commit out of order, transactions have a snapshot: the feed follows these, not ids.
    await sql`alter table notices add column txid xid8 not null default pg_current_xact_id()`.execute(db)
    await sql`create index notices_txid on notices (txid)`.execute(db)
  }
}
