import { type Kysely, sql } from 'kysely'
import type { Engine } from '../../engine.ts'
import { columnsOf, key, required } from './columns.ts'

/**
 * The authorization server. There is no table of clients: a client id carries its own registration. Codes, access tokens
 * and refresh tokens have a table each, so one kind is never accepted as another (decision 26).
 */
export async function oauth(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { integer, id, end, endByKey } = columnsOf(engine)

  await db.schema
    .createTable('oauth_approvals')
    .addColumn('hash', 'text', key)
    .addColumn('client_id', 'text', required)
    .addColumn('client_name', 'text', required)
    .addColumn('redirect_uri', 'text', required)
    .addColumn('state', 'text')
    .addColumn('challenge', 'text', required)
    .addColumn('scopes', 'text', required)
    .addColumn('resource', 'text', required)
    .addColumn('account_required', 'integer', required)
    .addColumn('browser_hash', 'text', required)
    .addColumn('created_at', integer, required)
    .addColumn('expires_at', integer, required)
    .addColumn('decision', 'text')
    .addColumn('decided_at', integer)
    .$call(end)
    .execute()
  await db.schema.createIndex('oauth_approvals_expiry').on('oauth_approvals').column('expires_at').execute()

  await db.schema
    .createTable('oauth_grants')
    .addColumn('id', integer, id)
    .addColumn('client_id', 'text', required)
    .addColumn('client_name', 'text', required)
    .addColumn('account_id', integer, (column) => column.references('accounts.id'))
    .addColumn('guest_hash', 'text')
    .addColumn('scopes', 'text', required)
    .addColumn('resource', 'text', required)
    .addColumn('created_at', integer, required)
    .addColumn('last_used_at', integer, required)
    .addColumn('ends_at', integer, required)
    .addColumn('revoked_at', integer)
    // A grant acts for an account or for a guest, never for both.
    .addCheckConstraint('oauth_grants_subject', sql`(account_id is null) <> (guest_hash is null)`)
    .$call(end)
    .execute()
  await sql`create index oauth_grants_of on oauth_grants (account_id) where account_id is not null`.execute(db)
  await db.schema.createIndex('oauth_grants_end').on('oauth_grants').column('ends_at').execute()

  await db.schema
    .createTable('oauth_codes')
    .addColumn('hash', 'text', key)
    .addColumn('grant_id', integer, required)
    .addColumn('redirect_uri', 'text', required)
    .addColumn('challenge', 'text', required)
    .addColumn('expires_at', integer, required)
    .addColumn('used_at', integer)
    .$call(endByKey)
    .execute()
  await db.schema.createIndex('oauth_codes_of').on('oauth_codes').column('grant_id').execute()

  await db.schema
    .createTable('oauth_access_tokens')
    .addColumn('hash', 'text', key)
    .addColumn('grant_id', integer, required)
    .addColumn('scopes', 'text', required)
    .addColumn('expires_at', integer, required)
    .$call(endByKey)
    .execute()
  await db.schema.createIndex('oauth_access_tokens_of').on('oauth_access_tokens').column('grant_id').execute()
  await db.schema.createIndex('oauth_access_tokens_expiry').on('oauth_access_tokens').column('expires_at').execute()

  await db.schema
    .createTable('oauth_refresh_tokens')
    .addColumn('hash', 'text', key)
    .addColumn('grant_id', integer, required)
    .addColumn('expires_at', integer, required)
    .addColumn('used_at', integer)
    .$call(endByKey)
    .execute()
  await db.schema.createIndex('oauth_refresh_tokens_of').on('oauth_refresh_tokens').column('grant_id').execute()
  await db.schema.createIndex('oauth_refresh_tokens_expiry').on('oauth_refresh_tokens').column('expires_at').execute()
}
