import type { Kysely } from 'kysely'
import type { Engine } from '../../engine.ts'
import { columnsOf, key, required } from './columns.ts'

/** The hosts that the operator blocked for every tenant. */
export async function moderation(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { integer, endByKey } = columnsOf(engine)

  await db.schema
    .createTable('blocked_hosts')
    .addColumn('host', 'text', key)
    .addColumn('reason', 'text', required)
    .addColumn('blocked_at', integer, required)
    .$call(endByKey)
    .execute()
}
