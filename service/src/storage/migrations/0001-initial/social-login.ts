import { type Kysely, sql } from 'kysely'
import type { Engine } from '../../engine.ts'
import { columnsOf, required } from './columns.ts'

/** Each tenant's social login: resource, users and sessions. Rows are deleted by resource, in chunks (purge.ts). */
export async function socialLogin(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { integer, bytes, numberedInTenant, end, endByKey } = columnsOf(engine)

  await db.schema
    .createTable('resources')
    .$call(numberedInTenant('resources_key'))
    .addColumn('kind', 'text', required)
    .addColumn('status', 'text', required)
    .addColumn('callback_urls', 'text', required)
    .addColumn('created_at', integer, required)
    .addColumn('updated_at', integer, required)
    .addColumn('deleted_at', integer)
    .addColumn('refresh_leeway_seconds', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('callback_mode', 'text', (column) => column.notNull().defaultTo('either'))
    .addColumn('remember_consent', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('allowed_domains', 'text', (column) => column.notNull().defaultTo('[]'))
    .addColumn('allowed_emails', 'text', (column) => column.notNull().defaultTo('[]'))
    .addColumn('first_user_claims', 'text')
    .addColumn('admission', 'text', (column) => column.notNull().defaultTo('open'))
    .addColumn('tallied_through', integer, (column) => column.notNull().defaultTo(0))
    .$call(end)
    .execute()
  // At most one active resource per tenant and kind; the rows of any number of deleted ones may still be there.
  await sql`create unique index resources_active on resources (tenant_id, kind) where status = 'active'`.execute(db)
  await sql`create index resources_deleting on resources (status, id) where status = 'deleting'`.execute(db)

  // Ids count per tenant (storage/social-login/users.ts), so they are unique within a resource.
  await db.schema
    .createTable('users')
    .addColumn('id', integer, required)
    .addColumn('tenant_id', 'text', required)
    .addColumn('resource_id', integer, required)
    .addColumn('issuer', 'text', required)
    .addColumn('subject', 'text', required)
    .addColumn('email', 'text', required)
    .addColumn('name', 'text')
    .addColumn('name_key', engine === 'sqlite' ? 'text' : sql`text collate "C"`)
    .addColumn('picture', 'text')
    .addColumn('first_seen', integer, required)
    .addColumn('last_seen', integer, required)
    .addColumn('blocked_at', integer)
    .addColumn('metadata', 'text')
    .addColumn('claims', 'text')
    .addPrimaryKeyConstraint('users_key', ['resource_id', 'id', 'tenant_id'])
    .addUniqueConstraint('users_person', ['resource_id', 'issuer', 'subject', 'tenant_id'])
    .$call(endByKey)
    .execute()
  await userSearch(db, engine)

  await db.schema
    .createTable('sessions')
    .$call(numberedInTenant('sessions_key'))
    .addColumn('resource_id', integer, required)
    .addColumn('user_id', integer, required)
    .addColumn('salt', bytes, required)
    .addColumn('generation', 'integer', required)
    .addColumn('created_at', integer, required)
    .addColumn('rotated_at', integer, required)
    .addColumn('previous_rotated_at', integer)
    .addColumn('expires_at', integer, required)
    .addColumn('absolute_expires_at', integer, required)
    .addColumn('idempotency_hash', 'text')
    .addColumn('late_generation', 'integer')
    .addColumn('late_until', integer)
    .addColumn('sweep_at', integer, required)
    .$call(end)
    .execute()
  // A refresh changes no indexed column: on PostgreSQL it stays a heap-only update, on SQLite it writes one page. An index
  // of SQLite contains the id anyway, so the one on the resource also finds the newest sessions; PostgreSQL's must name it.
  if (engine === 'sqlite') await db.schema.createIndex('sessions_of').on('sessions').column('resource_id').execute()
  else await db.schema.createIndex('sessions_in_order').on('sessions').columns(['resource_id', 'id']).execute()
  const byUser = engine === 'sqlite' ? ['resource_id', 'user_id'] : ['resource_id', 'user_id', 'id']
  await db.schema.createIndex('sessions_by_user').on('sessions').columns(byUser).execute()
  await db.schema.createIndex('sessions_sweep').on('sessions').column('sweep_at').execute()
}

/**
 * The searches of the users API (storage/social-login/user-search.ts). A refresh does not write users, and the end of a
 * session changes only `last_seen`, which none of them contains. An index of SQLite contains the primary key anyway; PostgreSQL's must name the id.
 */
async function userSearch(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const id = engine === 'sqlite' ? sql`` : sql`, id`
  // Both fold ASCII letters only.
  const email = engine === 'sqlite' ? sql`lower(email)` : sql`lower(email collate "C")`
  await sql`create index users_by_email on users (resource_id, (${email})${id})`.execute(db)
  await sql`create index users_by_name on users (resource_id, name_key${id}) where name_key is not null`.execute(db)
  await sql`create index users_blocked on users (resource_id, id) where blocked_at is not null`.execute(db)
}

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
    .addColumn('invitation_id', 'text')
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
    .createTable('invitations')
    .addColumn('tenant_id', 'text', required)
    .addColumn('id', 'text', required)
    .addColumn('hash', 'text', required)
    .addColumn('email', 'text')
    .addColumn('claims', 'text', required)
    .addColumn('uses', 'integer', required)
    .addColumn('used', 'integer', required)
    .addColumn('created_at', integer, required)
    .addColumn('expires_at', integer, required)
    .addPrimaryKeyConstraint('invitations_key', ['tenant_id', 'id'])
    .addUniqueConstraint('invitations_secret', ['tenant_id', 'hash'])
    .$call(endByKey)
    .execute()
  await db.schema.createIndex('invitations_expiry').on('invitations').column('expires_at').execute()

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

/** The history of sign-ins, and its daily totals. */
export async function events(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { integer, end, endByKey } = columnsOf(engine)

  // Every refresh writes each index (docs/hot-path.md), so there are two, not three: pages of all kinds are merged from the
  // ranges of the single kinds (storage/social-login/events.ts), and no query selects an event by its id alone.
  const byKind = engine === 'sqlite' ? 'events_by_kind' : 'events_key'
  await db.schema
    .createTable('events')
    .addColumn('id', integer, required)
    .addColumn('tenant_id', 'text', required)
    .addColumn('resource_id', integer, required)
    .addColumn('event', 'text', required)
    .addColumn('user_id', integer)
    .addColumn('email', 'text')
    .addColumn('redirect_uri', 'text')
    .addColumn('return_to', 'text')
    .addColumn('metadata', 'text', required)
    .addColumn('created_at', integer, required)
    .$call((table) =>
      engine === 'sqlite'
        ? end(table)
        : table.addPrimaryKeyConstraint(byKind, ['resource_id', 'event', 'id', 'tenant_id']),
    )
    .execute()
  if (engine === 'sqlite') {
    // SQLite appends the rows in the order of a hidden row id, and this index is the key.
    await db.schema.createIndex(byKind).unique().on('events').columns(['resource_id', 'event', 'id']).execute()
  }
  await sql`create index events_by_user on events (resource_id, user_id, id) where user_id is not null`.execute(db)

  // How many events of each kind a resource had on each day, up to the event `tallied_through`; see tallies.ts.
  await db.schema
    .createTable('day_tallies')
    .addColumn('tenant_id', 'text', required)
    .addColumn('resource_id', integer, required)
    .addColumn('day', 'text', required)
    .addColumn('event', 'text', required)
    .addColumn('count', integer, required)
    .addPrimaryKeyConstraint('day_tallies_key', ['resource_id', 'day', 'event', 'tenant_id'])
    .$call(endByKey)
    .execute()
}
