import { type Kysely, sql } from 'kysely'
import type { Engine } from '../../engine.ts'
import { columnsOf, key, required } from './columns.ts'

/** Endpoints of apps that get events, what waits for a retry, and the delivery log. Events themselves are in `events`. */
export async function webhooks(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { integer, bytes, endByKey } = columnsOf(engine)

  await db.schema
    .createTable('webhooks')
    .addColumn('tenant_id', 'text', required)
    .addColumn('id', 'text', required)
    .addColumn('url', 'text', required)
    .addColumn('events', 'text', required)
    .addColumn('sealed', bytes, required)
    .addColumn('previous_sealed', bytes)
    .addColumn('previous_until', integer)
    .addColumn('cursor', integer, required)
    .addColumn('replay_after', integer)
    .addColumn('replay_until', integer)
    .addColumn('status', 'text', required)
    .addColumn('disabled_reason', 'text')
    .addColumn('failing_since', integer)
    .addColumn('failures', integer, required)
    .addColumn('lease_until', integer)
    .addColumn('next_look_at', integer)
    .addColumn('attempts', integer, required)
    .addColumn('created_at', integer, required)
    .addPrimaryKeyConstraint('webhooks_key', ['tenant_id', 'id'])
    .$call(endByKey)
    .execute()
  await sql`create index webhooks_due on webhooks (next_look_at) where status = 'active' and next_look_at is not null`.execute(
    db,
  )

  await db.schema
    .createTable('webhook_retries')
    .addColumn('tenant_id', 'text', required)
    .addColumn('webhook_id', 'text', required)
    .addColumn('event_id', integer, required)
    .addColumn('attempt', integer, required)
    .addColumn('due_at', integer, required)
    .addPrimaryKeyConstraint('webhook_retries_key', ['tenant_id', 'webhook_id', 'event_id'])
    .$call(endByKey)
    .execute()
  const due = ['tenant_id', 'webhook_id', 'due_at']
  await db.schema.createIndex('webhook_retries_due').on('webhook_retries').columns(due).execute()

  await db.schema
    .createTable('webhook_attempts')
    .addColumn('tenant_id', 'text', required)
    .addColumn('webhook_id', 'text', required)
    .addColumn('id', integer, required)
    .addColumn('event_id', integer)
    .addColumn('attempt', integer, required)
    .addColumn('at_ms', integer, required)
    .addColumn('status', integer)
    .addColumn('ms', integer, required)
    .addColumn('error', 'text')
    .addPrimaryKeyConstraint('webhook_attempts_key', ['tenant_id', 'webhook_id', 'id'])
    .$call(endByKey)
    .execute()
  await db.schema
    .createIndex('webhook_attempts_newest')
    .on('webhook_attempts')
    .columns(['tenant_id', 'at_ms'])
    .execute()
  await db.schema.createIndex('webhook_attempts_age').on('webhook_attempts').column('at_ms').execute()
}

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

/**
 * Which history of the database this is. PostgreSQL names it: a promoted standby and a restored backup continue on a new
 * timeline, which lacks what was committed last on the former one. On SQLite only the id floor is used.
 */
export async function lineage(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { integer, endByKey } = columnsOf(engine)

  await db.schema
    .createTable('lineage')
    // Always 1.
    .addColumn('id', 'integer', key)
    .addColumn('system_id', 'text', required)
    .addColumn('timeline', integer, required)
    .addColumn('mark', 'text', required)
    .addColumn('since_ms', integer, required)
    .addColumn('id_floor', integer, required)
    .addCheckConstraint('lineage_has_one_row', sql`id = 1`)
    .$call(endByKey)
    .execute()
}

/** PostgreSQL: has a row once `gatehouse move` has copied the database to SQLite. A SQLite file is renamed instead. */
export async function moved(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('moved').addColumn('at_ms', 'bigint', required).execute()
}
