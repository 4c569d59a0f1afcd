import { type Kysely, sql } from 'kysely'
import type { Engine } from '../../engine.ts'
import { columnsOf, key, required } from './columns.ts'

/**
 * Tables that every instance reads: revocations, and the proofs of the master keys. A row of `revocations` is never
 * updated: it would keep its position in the feed, and instances that have read it would miss the change (decision 18).
 */
export async function revocations(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { integer, id, end, endByKey } = columnsOf(engine)

  await db.schema
    .createTable('revocations')
    .addColumn('id', integer, id)
    .addColumn('kind', 'text', required)
    .addColumn('tenant_id', 'text', required)
    .addColumn('subject_id', integer)
    .addColumn('generation', 'integer')
    .addColumn('until_ms', integer, required)
    .addColumn('last_id', integer)
    .$call(end)
    .execute()
  await db.schema.createIndex('revocations_until').on('revocations').column('until_ms').execute()

  if (engine === 'postgres') {
    // Sequence values commit out of order; the feed follows transaction ids instead.
    await sql`alter table revocations add column txid xid8 not null default pg_current_xact_id()`.execute(db)
    await sql`create index revocations_txid on revocations (txid)`.execute(db)
  }

  await db.schema
    .createTable('key_checks')
    .addColumn('kid', 'text', key)
    .addColumn('proof', 'text', required)
    .$call(endByKey)
    .execute()
}
