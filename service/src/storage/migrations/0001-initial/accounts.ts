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
