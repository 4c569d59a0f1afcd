import type { Kysely } from 'kysely'
import type { Engine } from '../profiles.ts'

/**
 * The newest sessions of a resource, without reading all of them. In SQLite's index on the resource the rows of one
 * resource are in the order of their ids anyway. Neither column ever changes, so a refresh does not pay for it.
 */
export async function sessionsInOrder(db: Kysely<unknown>, engine: Engine): Promise<void> {
  if (engine !== 'postgres') return
  await db.schema.createIndex('sessions_in_order').on('sessions').columns(['resource_id', 'id']).execute()
  await db.schema.dropIndex('sessions_of').execute()
}
