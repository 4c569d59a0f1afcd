import { type Kysely, sql } from 'kysely'
import type { Engine } from '../profiles.ts'
import { columnsOf, required } from './columns.ts'

/**
 * What a tenant's social login holds. It lives in the database of the tenant's profile, so it refers to no home table.
 * It is removed by resource, in chunks; see resources.ts.
 */
export async function socialLogin(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { integer, bytes, id, ascending, end } = columnsOf(engine)

  await db.schema
    .createTable('resources')
    .addColumn('id', integer, id)
    .addColumn('tenant_id', 'text', required)
    .addColumn('kind', 'text', required)
    .addColumn('status', 'text', required)
    .addColumn('callback_urls', 'text', required)
    .addColumn('created_at', integer, required)
    .addColumn('updated_at', integer, required)
    .addColumn('deleted_at', integer)
    .$call(end)
    .execute()
  // One active of a kind; any number of older ones may still be on their way out.
  await sql`create unique index resources_active on resources (tenant_id, kind) where status = 'active'`.execute(db)
  await sql`create index resources_deleting on resources (status, id) where status = 'deleting'`.execute(db)

  await db.schema
    .createTable('users')
    .addColumn('id', integer, id)
    .addColumn('tenant_id', 'text', required)
    .addColumn('resource_id', integer, required)
    .addColumn('issuer', 'text', required)
    .addColumn('subject', 'text', required)
    .addColumn('email', 'text', required)
    .addColumn('name', 'text')
    .addColumn('picture', 'text')
    .addColumn('first_seen', integer, required)
    .addColumn('last_seen', integer, required)
    .addUniqueConstraint('users_person', ['resource_id', 'issuer', 'subject'])
    .$call(end)
    .execute()
  await db.schema.createIndex('users_in_order').on('users').columns(['resource_id', 'id']).execute()

  await db.schema
    .createTable('sessions')
    .addColumn('id', integer, id)
    .addColumn('tenant_id', 'text', required)
    .addColumn('resource_id', integer, required)
    .addColumn('user_id', integer, required)
    .addColumn('salt', bytes, required)
    .addColumn('generation', 'integer', required)
    .addColumn('created_at', integer, required)
    .addColumn('rotated_at', integer, required)
    .addColumn('previous_rotated_at', integer)
    .addColumn('expires_at', integer, required)
    .addColumn('absolute_expires_at', integer, required)
    .addColumn('fingerprint', 'text')
    .addColumn('idempotency_hash', 'text')
    .addColumn('sweep_at', integer, required)
    .$call(end)
    .execute()
  // A refresh changes no indexed column: on PostgreSQL it stays a heap-only update, on SQLite one page.
  await db.schema.createIndex('sessions_of').on('sessions').column('resource_id').execute()
  await db.schema.createIndex('sessions_sweep').on('sessions').column('sweep_at').execute()

  // Every index here is paid at every refresh (docs/hot-path.md), so there are two, not three: pages of all kinds are
  // merged from the kinds' own ranges (see events.ts), and nobody looks for an event by its id alone.
  const byKind = engine === 'sqlite' ? 'events_by_kind' : 'events_key'
  await db.schema
    .createTable('events')
    .addColumn('id', integer, ascending)
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
      engine === 'sqlite' ? end(table) : table.addPrimaryKeyConstraint(byKind, ['resource_id', 'event', 'id']),
    )
    .execute()
  if (engine === 'sqlite') {
    await db.schema.createIndex(byKind).on('events').columns(['resource_id', 'event', 'id']).execute()
  }
  await sql`create index events_by_user on events (resource_id, user_id, id) where user_id is not null`.execute(db)
}
