import { type Kysely, sql } from 'kysely'
import type { Engine } from '../profiles.ts'
import { columnsOf, required } from './columns.ts'

/** How a guest gets an owner, and how a tenant ends. */
export async function ownership(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { integer, id, end } = columnsOf(engine)

  await db.schema.alterTable('tenants').addColumn('ended_at', integer).execute()
  await sql`create index tenants_owned on tenants (owner_account_id, claimed_at) where owner_account_id is not null`.execute(
    db,
  )
  await sql`create index tenants_due on tenants (expires_at) where ended_at is null`.execute(db)
  await sql`create index tenants_ended on tenants (ended_at) where ended_at is not null`.execute(db)
  // A tenant that is buried takes its edge sessions along.
  await db.schema.createIndex('edge_sessions_of').on('edge_sessions').column('tenant_id').execute()

  await db.schema
    .createTable('claims')
    .addColumn('id', integer, id)
    .addColumn('tenant_id', 'text', required)
    .addColumn('token_hash', 'text', (column) => column.notNull().unique())
    .addColumn('wait_hash', 'text', (column) => column.notNull().unique())
    .addColumn('confirmation_code', 'text', required)
    .addColumn('decision', 'text', required)
    .addColumn('created_at', integer, required)
    .addColumn('expires_at', integer, required)
    .addColumn('decided_at', integer)
    .addColumn('decided_by', integer)
    .$call(end)
    .execute()
  await db.schema.createIndex('claims_of').on('claims').column('tenant_id').execute()
  // At most one pending claim per tenant: a newer link must supersede the older one first.
  await sql`create unique index claims_open on claims (tenant_id) where decision = 'pending'`.execute(db)
}
