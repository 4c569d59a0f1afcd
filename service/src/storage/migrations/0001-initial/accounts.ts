import { type Kysely, sql } from 'kysely'
import type { Engine } from '../../engine.ts'
import { columnsOf, key, required } from './columns.ts'

/** Owners, the browsers they are signed in with, and their sign-ins in progress. */
export async function accounts(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { integer, id, end } = columnsOf(engine)

  await db.schema
    .createTable('accounts')
    .addColumn('id', integer, id)
    .addColumn('issuer', 'text', required)
    .addColumn('subject', 'text', required)
    .addColumn('email', 'text', required)
    .addColumn('name', 'text')
    .addColumn('tier', 'text', (column) => column.notNull().defaultTo('free'))
    .addColumn('project_limit', integer)
    .addColumn('created_at', integer, required)
    .addColumn('last_seen', integer, required)
    .addUniqueConstraint('accounts_person', ['issuer', 'subject'])
    .$call(end)
    .execute()
  // Operators type addresses by hand, so the lookup ignores case.
  await sql`create index accounts_email on accounts (lower(email))`.execute(db)

  await db.schema
    .createTable('account_sessions')
    .addColumn('id', integer, id)
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('account_id', integer, (column) => column.notNull().references('accounts.id'))
    .addColumn('device', 'text')
    .addColumn('created_at', integer, required)
    .addColumn('last_used_at', integer, required)
    .addColumn('expires_at', integer, required)
    .$call(end)
    .execute()
  await db.schema.createIndex('account_sessions_of').on('account_sessions').column('account_id').execute()
  await db.schema.createIndex('account_sessions_expiry').on('account_sessions').column('expires_at').execute()

  await db.schema
    .createTable('account_sign_ins')
    .addColumn('id', 'text', key)
    .addColumn('browser_hash', 'text', required)
    .addColumn('next_path', 'text', required)
    .addColumn('tested_tenant_id', 'text')
    .addColumn('tested_client_id', 'text')
    .addColumn('created_at', integer, required)
    .addColumn('expires_at', integer, required)
    .addColumn('taken_at', integer)
    .$call(end)
    .execute()
  await db.schema.createIndex('account_sign_ins_expiry').on('account_sign_ins').column('expires_at').execute()
}
