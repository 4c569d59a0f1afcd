import type { Kysely } from 'kysely'
import type { Engine } from '../../engine.ts'
import { columnsOf, key, required } from './columns.ts'

/** The page on which people see and remove their own data. */
export async function me(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { integer, end, endByKey } = columnsOf(engine)

  await db.schema
    .createTable('me_sessions')
    .addColumn('hash', 'text', key)
    .addColumn('issuer', 'text', required)
    .addColumn('subject', 'text', required)
    .addColumn('email', 'text', required)
    .addColumn('name', 'text')
    .addColumn('created_at', integer, required)
    .addColumn('expires_at', integer, required)
    .$call(end)
    .execute()
  await db.schema.createIndex('me_sessions_expiry').on('me_sessions').column('expires_at').execute()

  await db.schema
    .createTable('removal_requests')
    .addColumn('resource_id', integer, required)
    .addColumn('user_id', integer, required)
    .addColumn('tenant_id', 'text', required)
    .addColumn('requested_at', integer, required)
    .addColumn('request_id', 'text', required)
    .addPrimaryKeyConstraint('removal_requests_key', ['resource_id', 'user_id', 'tenant_id'])
    .$call(endByKey)
    .execute()
  await db.schema.createIndex('removal_requests_due').on('removal_requests').column('requested_at').execute()

  // Written when a user is inserted and never again: neither column of a user changes.
  await db.schema.createIndex('users_by_identity').on('users').columns(['issuer', 'subject']).execute()
}
