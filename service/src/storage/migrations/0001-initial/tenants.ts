import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'
import type { Engine } from '../../engine.ts'
import { columnsOf, key, required } from './columns.ts'

/** Tenants, their keys and credentials, and ownership claims. */
export async function tenants(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { integer, bytes, numberedInTenant, end, endByKey } = columnsOf(engine)

  await db.schema
    .createTable('tenants')
    .addColumn('id', 'text', key)
    .addColumn('origin', 'text', required)
    .addColumn('profile', 'text', required)
    .addColumn('created_at', integer, required)
    .addColumn('expires_at', integer)
    .addColumn('claimed_at', integer)
    .addColumn('owner_account_id', integer, (column) => column.references('accounts.id'))
    .addColumn('paused_at', integer)
    .addColumn('pause_reason', 'text')
    .addColumn('suspended_at', integer)
    .addColumn('suspension_reason', 'text')
    .addColumn('suspension_generation', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('ended_at', integer)
    .addColumn('creator_guest_hash', 'text')
    .addColumn('key_generation', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('keys_replaced_at', integer)
    .addColumn('name', 'text')
    .$call(end)
    .execute()
  await sql`create index tenants_owned on tenants (owner_account_id, claimed_at) where owner_account_id is not null`.execute(
    db,
  )
  await sql`create index tenants_due on tenants (expires_at) where ended_at is null`.execute(db)
  await sql`create index tenants_ended on tenants (ended_at) where ended_at is not null`.execute(db)

  await db.schema
    .createTable('tenant_keys')
    .addColumn('hash', 'text', key)
    .addColumn('tenant_id', 'text', (column) => column.notNull().references('tenants.id'))
    .addColumn('kind', 'text', required)
    .addColumn('issued_to_owner', 'integer', required)
    .addColumn('created_at', integer, required)
    .addColumn('expires_at', integer)
    .addColumn('last_used_at', integer)
    .$call(endByKey)
    .execute()
  await db.schema.createIndex('tenant_keys_of').on('tenant_keys').column('tenant_id').execute()

  await db.schema
    .createTable('tenant_credentials')
    .addColumn('tenant_id', 'text', key)
    .addColumn('sealed', bytes, required)
    .addColumn('sealed_at', integer, required)
    .$call(endByKey)
    .execute()

  await db.schema
    .createTable('idempotency_keys')
    .addColumn('scope', 'text', key)
    .addColumn('tenant_id', 'text', required)
    .addColumn('created_at', integer, required)
    .$call(endByKey)
    .execute()
  // Purging a tenant deletes its idempotency keys by tenant.
  await db.schema.createIndex('idempotency_keys_of').on('idempotency_keys').column('tenant_id').execute()

  await db.schema
    .createTable('claims')
    .$call(numberedInTenant('claims_key'))
    .addColumn('token_hash', 'text', required)
    .addColumn('wait_hash', 'text', required)
    .addColumn('confirmation_code', 'text', required)
    .addColumn('decision', 'text', required)
    .addColumn('created_at', integer, required)
    .addColumn('expires_at', integer, required)
    .addColumn('decided_at', integer)
    .addColumn('decided_by', integer)
    .addColumn('decision_hash', 'text')
    .addUniqueConstraint('claims_token', ['token_hash', 'tenant_id'])
    .addUniqueConstraint('claims_wait', ['wait_hash', 'tenant_id'])
    .$call(end)
    .execute()
  await db.schema.createIndex('claims_of').on('claims').column('tenant_id').execute()
  // At most one pending claim per tenant: a new one supersedes it first (storage/tenants/claims.ts).
  await sql`create unique index claims_open on claims (tenant_id) where decision = 'pending'`.execute(db)
}

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

/** The hosts that the operator blocked for every tenant. */
export async function moderation(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { integer, endByKey } = columnsOf(engine)

  await db.schema
    .createTable('blocked_hosts')
    .addColumn('host', 'text', key)
    .addColumn('reason', 'text', required)
    .addColumn('blocked_at', integer, required)
    .$call(endByKey)
    .execute()
}

/** The domains that owners control, and what the consent page shows of their apps. */
export async function brand(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { integer, bytes, end, endByKey } = columnsOf(engine)

  await db.schema
    .createTable('domains')
    .addColumn('tenant_id', 'text', required)
    .addColumn('host', 'text', required)
    .addColumn('status', 'text', required)
    .addColumn('method', 'text')
    .addColumn('verified_at', integer)
    .addColumn('checked_at', integer)
    .addColumn('next_check_at', integer)
    .addColumn('misses', integer, required)
    .addColumn('created_at', integer, required)
    .addPrimaryKeyConstraint('domains_key', ['tenant_id', 'host'])
    .$call(endByKey)
    .execute()
  await sql`create index domains_due on domains (next_check_at) where next_check_at is not null`.execute(db)

  await db.schema
    .createTable('brands')
    .addColumn('tenant_id', 'text', key)
    .addColumn('name', 'text', required)
    .addColumn('privacy_url', 'text')
    .addColumn('terms_url', 'text')
    .addColumn('accent', 'text')
    .addColumn('updated_at', integer, required)
    .$call(end)
    .execute()

  await db.schema
    .createTable('logos')
    .addColumn('tenant_id', 'text', key)
    .addColumn('hash', 'text', required)
    .addColumn('size', integer, required)
    .addColumn('png', bytes, required)
    .addColumn('updated_at', integer, required)
    .$call(end)
    .execute()
}

/** Clients of tenants at identity providers. */
export async function providers(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { integer, bytes, endByKey } = columnsOf(engine)

  await db.schema
    .createTable('provider_clients')
    .addColumn('tenant_id', 'text', required)
    .addColumn('id', 'text', required)
    .addColumn('provider', 'text', required)
    .addColumn('mode', 'text', required)
    .addColumn('client_id', 'text')
    .addColumn('issuer', 'text')
    .addColumn('display_name', 'text')
    .addColumn('sealed', bytes)
    .addColumn('redirect_uri', 'text', required)
    .addColumn('status', 'text', required)
    .addColumn('created_at', integer, required)
    .addColumn('tested_at', integer)
    .addColumn('retired_at', integer)
    .addPrimaryKeyConstraint('provider_clients_key', ['tenant_id', 'id'])
    .$call(endByKey)
    .execute()
  await sql`create index provider_clients_retired on provider_clients (retired_at) where retired_at is not null`.execute(
    db,
  )
}
