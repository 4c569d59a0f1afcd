import { type Kysely, sql } from 'kysely'
import type { Engine } from '../profiles.ts'
import { columnsOf, key, required } from './columns.ts'

/** Tenants, their owners and keys, logins in flight, counters: what is not tied to a profile. */
export async function home(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { integer, id, end, endByKey } = columnsOf(engine)

  await db.schema
    .createTable('accounts')
    .addColumn('id', integer, id)
    .addColumn('issuer', 'text', required)
    .addColumn('subject', 'text', required)
    .addColumn('email', 'text', required)
    .addColumn('name', 'text')
    .addColumn('tier', 'text', (column) => column.notNull().defaultTo('free'))
    .addColumn('created_at', integer, required)
    .addColumn('last_seen', integer, required)
    .addUniqueConstraint('accounts_person', ['issuer', 'subject'])
    .$call(end)
    .execute()

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
    .$call(end)
    .execute()

  await db.schema
    .createTable('tenant_keys')
    .addColumn('hash', 'text', key)
    .addColumn('tenant_id', 'text', (column) => column.notNull().references('tenants.id'))
    .addColumn('kind', 'text', required)
    .addColumn('created_at', integer, required)
    .addColumn('expires_at', integer)
    .$call(endByKey)
    .execute()
  await db.schema.createIndex('tenant_keys_of').on('tenant_keys').column('tenant_id').execute()

  await db.schema
    .createTable('edge_sessions')
    .addColumn('hash', 'text', key)
    .addColumn('tenant_id', 'text', required)
    .addColumn('expires_at', integer, required)
    .$call(endByKey)
    .execute()
  await db.schema.createIndex('edge_sessions_expiry').on('edge_sessions').column('expires_at').execute()

  await db.schema
    .createTable('login_attempts')
    .addColumn('id', 'text', key)
    .addColumn('tenant_id', 'text', required)
    .addColumn('redirect_uri', 'text', required)
    .addColumn('return_to', 'text')
    .addColumn('browser_hash', 'text', required)
    .addColumn('stage', 'text', required)
    .addColumn('issuer', 'text')
    .addColumn('subject', 'text')
    .addColumn('email', 'text')
    .addColumn('name', 'text')
    .addColumn('picture', 'text')
    .addColumn('created_at', integer, required)
    .addColumn('expires_at', integer, required)
    .$call(end)
    .execute()
  await db.schema.createIndex('login_attempts_of').on('login_attempts').columns(['tenant_id', 'browser_hash']).execute()
  await db.schema.createIndex('login_attempts_expiry').on('login_attempts').column('expires_at').execute()

  await db.schema
    .createTable('counters')
    .addColumn('scope', 'text', required)
    .addColumn('bucket', 'text', required)
    .addColumn('starts_at', integer, required)
    .addColumn('used', integer, required)
    .addPrimaryKeyConstraint('counters_key', ['scope', 'bucket', 'starts_at'])
    .$call(endByKey)
    .execute()
  // Only minutes are swept, and only their first insert pays for it: `used` is in no index.
  await sql`create index counters_minutes on counters (starts_at) where bucket = 'minute'`.execute(db)

  await db.schema
    .createTable('key_checks')
    .addColumn('kid', 'text', key)
    .addColumn('proof', 'text', required)
    .$call(endByKey)
    .execute()
}
