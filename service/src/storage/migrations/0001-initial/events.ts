import { type Kysely, sql } from 'kysely'
import type { Engine } from '../../engine.ts'
import { columnsOf, required } from './columns.ts'

/** The history of sign-ins, and its daily totals. */
export async function events(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { integer, end, endByKey } = columnsOf(engine)

  // Every refresh writes each index (docs/hot-path.md), so there are two, not three: pages of all kinds are merged from the
  // ranges of the single kinds (events-of-kinds.ts), and no query selects an event by its id alone.
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
