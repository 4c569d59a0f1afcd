import type { Kysely } from 'kysely'
import type { Engine } from '../../engine.ts'
import { columnsOf, required } from './columns.ts'

/** Logins in progress, and the sessions of the login edge. */
export async function logins(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { integer, end, endByKey } = columnsOf(engine)

  await db.schema
    .createTable('login_attempts')
    .addColumn('id', 'text', required)
    .addColumn('tenant_id', 'text', required)
    .addColumn('redirect_uri', 'text', required)
    .addColumn('return_to', 'text')
    .addColumn('provider', 'text', required)
    .addColumn('provider_client_id', 'text')
    .addColumn('browser_hash', 'text', required)
    .addColumn('challenge', 'text')
    .addColumn('chooser', 'integer', required)
    .addColumn('remember', 'integer', required)
    .addColumn('stage', 'text', required)
    .addColumn('issuer', 'text')
    .addColumn('subject', 'text')
    .addColumn('email', 'text')
    .addColumn('name', 'text')
    .addColumn('picture', 'text')
    .addColumn('outcome', 'text')
    .addColumn('decided_at', integer)
    .addColumn('session_id', integer)
    .addColumn('created_at', integer, required)
    .addColumn('expires_at', integer, required)
    .addPrimaryKeyConstraint('login_attempts_key', ['id', 'tenant_id'])
    .$call(end)
    .execute()
  await db.schema.createIndex('login_attempts_of').on('login_attempts').columns(['tenant_id', 'browser_hash']).execute()
  await db.schema.createIndex('login_attempts_expiry').on('login_attempts').column('expires_at').execute()

  await db.schema
    .createTable('login_codes')
    .addColumn('tenant_id', 'text', required)
    .addColumn('hash', 'text', required)
    .addColumn('resource_id', integer, required)
    .addColumn('user_id', integer, required)
    .addColumn('challenge', 'text', required)
    .addColumn('redirect_uri', 'text', required)
    .addColumn('wrong_verifiers', 'integer', required)
    .addColumn('used_at', integer)
    .addColumn('session_id', integer)
    .addColumn('expires_at', integer, required)
    .addPrimaryKeyConstraint('login_codes_key', ['tenant_id', 'hash'])
    .$call(endByKey)
    .execute()
  await db.schema.createIndex('login_codes_expiry').on('login_codes').column('expires_at').execute()

  await db.schema
    .createTable('consents')
    .addColumn('resource_id', integer, required)
    .addColumn('user_id', integer, required)
    .addColumn('tenant_id', 'text', required)
    .addColumn('host', 'text', required)
    .addColumn('provider', 'text', required)
    .addColumn('browser_hash', 'text', required)
    .addColumn('brand_hash', 'text', required)
    .addColumn('at', integer, required)
    .addPrimaryKeyConstraint('consents_key', [
      'resource_id',
      'user_id',
      'tenant_id',
      'host',
      'provider',
      'browser_hash',
    ])
    .$call(endByKey)
    .execute()
  await db.schema.createIndex('consents_age').on('consents').column('at').execute()

  await db.schema
    .createTable('edge_sessions')
    .addColumn('hash', 'text', required)
    .addColumn('tenant_id', 'text', required)
    .addColumn('expires_at', integer, required)
    .addPrimaryKeyConstraint('edge_sessions_key', ['hash', 'tenant_id'])
    .$call(endByKey)
    .execute()
  await db.schema.createIndex('edge_sessions_expiry').on('edge_sessions').column('expires_at').execute()
  // Purging a tenant deletes its edge sessions by tenant.
  await db.schema.createIndex('edge_sessions_of').on('edge_sessions').column('tenant_id').execute()

  await db.schema
    .createTable('refusals')
    .addColumn('tenant_id', 'text', required)
    .addColumn('kind', 'text', required)
    .addColumn('step', 'text', required)
    .addColumn('code', 'text', required)
    .addColumn('differs', 'text')
    .addColumn('sent', 'text')
    .addColumn('closest', 'text')
    .addColumn('count', 'integer', required)
    .addColumn('first_at', integer, required)
    .addColumn('last_at', integer, required)
    .addPrimaryKeyConstraint('refusals_key', ['tenant_id', 'kind'])
    .$call(endByKey)
    .execute()
  await db.schema.createIndex('refusals_age').on('refusals').column('last_at').execute()
}
