import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'
import type { Engine } from '../../engine.ts'
import { columnsOf, key, required } from './columns.ts'

const EVENT_COUNTS = [
  'minute_start',
  'minute_used',
  'minute_authenticated',
  'month_start',
  'month_used',
  'month_authenticated',
  'lifetime_used',
  'last_event_id',
] as const

const startingAtZero = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder => column.notNull().defaultTo(0)

/** Counters of the limits, records of control API requests, feedback, and the audit. */
export async function usage(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { integer, real, numberedInTenant, end, endByKey } = columnsOf(engine)

  await db.schema
    .createTable('counters')
    .addColumn('scope', 'text', required)
    .addColumn('bucket', 'text', required)
    .addColumn('starts_at', integer, required)
    .addColumn('used', integer, required)
    .addPrimaryKeyConstraint('counters_key', ['scope', 'bucket', 'starts_at'])
    .$call(endByKey)
    .execute()
  // Only minute and hour counters are swept, and `used` is in no index: an increment touches no index.
  await sql`create index counters_swept on counters (starts_at) where bucket in ('minute', 'hour')`.execute(db)

  // One row for all counts of a scope: every login and refresh writes them, and a row costs more than its columns.
  let eventCounts = db.schema.createTable('event_counts').addColumn('scope', 'text', key)
  for (const column of EVENT_COUNTS) eventCounts = eventCounts.addColumn(column, integer, startingAtZero)
  await eventCounts.$call(endByKey).execute()

  await db.schema
    .createTable('request_records')
    .$call(numberedInTenant('request_records_key'))
    .addColumn('at_ms', integer, required)
    .addColumn('method', 'text', required)
    .addColumn('route', 'text', required)
    .addColumn('status', 'integer', required)
    .addColumn('ms', real, required)
    .addColumn('request_id', 'text', required)
    .$call(end)
    .execute()
  // By time, not by id: instances write in batches, so the ids of one tenant are slightly out of order.
  const newest = ['tenant_id', 'at_ms', 'id']
  await db.schema.createIndex('request_records_newest').on('request_records').columns(newest).execute()
  await db.schema.createIndex('request_records_age').on('request_records').column('at_ms').execute()

  await db.schema
    .createTable('feedback')
    .$call(numberedInTenant('feedback_key'))
    .addColumn('account_id', integer)
    .addColumn('kind', 'text', required)
    .addColumn('text', 'text', required)
    .addColumn('token_hash', 'text')
    .addColumn('created_at', integer, required)
    .$call(end)
    .execute()
  // The number that a tenant may have (storage/tenants/feedback.ts), and the sweep by age.
  await db.schema.createIndex('feedback_of').on('feedback').columns(['tenant_id', 'created_at']).execute()
  await db.schema.createIndex('feedback_age').on('feedback').column('created_at').execute()
  await sql`create index feedback_accepted on feedback (account_id, created_at) where token_hash is not null`.execute(
    db,
  )

  await db.schema
    .createTable('actions')
    .addColumn('tenant_id', 'text', required)
    .addColumn('id', integer, required)
    .addColumn('at_ms', integer, required)
    .addColumn('actor', 'text', required)
    .addColumn('action', 'text', required)
    .addColumn('target', 'text')
    .addColumn('request_id', 'text', required)
    .addPrimaryKeyConstraint('actions_key', ['tenant_id', 'id'])
    .$call(endByKey)
    .execute()
  await db.schema.createIndex('actions_age').on('actions').column('at_ms').execute()
}
