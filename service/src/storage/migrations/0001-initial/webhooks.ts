import { type Kysely, sql } from 'kysely'
import type { Engine } from '../../engine.ts'
import { columnsOf, required } from './columns.ts'

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
