import { type Kysely, sql } from 'kysely'
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
