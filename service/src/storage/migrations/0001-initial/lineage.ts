import { type Kysely, sql } from 'kysely'
import type { Engine } from '../../engine.ts'
import { columnsOf, key, required } from './columns.ts'

/**
 * Which history of the database this is. PostgreSQL names it: a promoted standby and a restored backup continue on a new
 * timeline, which lacks what was committed last on the former one. On SQLite only the id floor is used.
 */
export async function lineage(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { integer, endByKey } = columnsOf(engine)

  await db.schema
    .createTable('lineage')
    // Always 1.
    .addColumn('id', 'integer', key)
    .addColumn('system_id', 'text', required)
    .addColumn('timeline', integer, required)
    .addColumn('mark', 'text', required)
    .addColumn('since_ms', integer, required)
    .addColumn('id_floor', integer, required)
    .addCheckConstraint('lineage_has_one_row', sql`id = 1`)
    .$call(endByKey)
    .execute()
}
