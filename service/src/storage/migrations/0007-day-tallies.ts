import type { Kysely } from 'kysely'
import type { Engine } from '../profiles.ts'
import { columnsOf, required } from './columns.ts'

/** How many events of each kind a resource had on each day, up to the event `tallied_through`; see tally.ts. */
export async function dayTallies(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { integer, endByKey } = columnsOf(engine)

  await db.schema
    .alterTable('resources')
    .addColumn('tallied_through', integer, (column) => column.notNull().defaultTo(0))
    .execute()

  await db.schema
    .createTable('day_tallies')
    .addColumn('tenant_id', 'text', required)
    .addColumn('resource_id', integer, required)
    .addColumn('day', 'text', required)
    .addColumn('event', 'text', required)
    .addColumn('count', integer, required)
    .addPrimaryKeyConstraint('day_tallies_key', ['resource_id', 'day', 'event'])
    .$call(endByKey)
    .execute()
}
