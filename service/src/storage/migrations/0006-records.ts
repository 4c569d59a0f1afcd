import { type Kysely, sql } from 'kysely'
import type { Engine } from '../profiles.ts'
import { columnsOf, required } from './columns.ts'

/** What tenants asked of the control API, and what they told us. */
export async function records(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { integer, real, id, end } = columnsOf(engine)

  await db.schema
    .createTable('request_records')
    .addColumn('id', integer, id)
    .addColumn('tenant_id', 'text', required)
    .addColumn('at_ms', integer, required)
    .addColumn('method', 'text', required)
    .addColumn('route', 'text', required)
    .addColumn('status', 'integer', required)
    .addColumn('ms', real, required)
    .addColumn('request_id', 'text', required)
    .$call(end)
    .execute()
  // By time and not by id: instances write in batches, so ids of one tenant are a little out of order.
  const newest = ['tenant_id', 'at_ms', 'id']
  await db.schema.createIndex('request_records_newest').on('request_records').columns(newest).execute()
  await db.schema.createIndex('request_records_age').on('request_records').column('at_ms').execute()

  await db.schema
    .createTable('feedback')
    .addColumn('id', integer, id)
    .addColumn('tenant_id', 'text', required)
    .addColumn('account_id', integer)
    .addColumn('kind', 'text', required)
    .addColumn('text', 'text', required)
    .addColumn('token_hash', 'text')
    .addColumn('created_at', integer, required)
    .$call(end)
    .execute()
  await sql`create index feedback_accepted on feedback (account_id, created_at) where token_hash is not null`.execute(
    db,
  )
}
