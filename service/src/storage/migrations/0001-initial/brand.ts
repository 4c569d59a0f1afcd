import { type Kysely, sql } from 'kysely'
import type { Engine } from '../../engine.ts'
import { columnsOf, key, required } from './columns.ts'

/** The domains that owners control, and what the consent page shows of their apps. */
export async function brand(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { integer, bytes, end, endByKey } = columnsOf(engine)

  await db.schema
    .createTable('domains')
    .addColumn('tenant_id', 'text', required)
    .addColumn('host', 'text', required)
    .addColumn('status', 'text', required)
    .addColumn('method', 'text')
    .addColumn('verified_at', integer)
    .addColumn('checked_at', integer)
    .addColumn('next_check_at', integer)
    .addColumn('misses', integer, required)
    .addColumn('created_at', integer, required)
    .addPrimaryKeyConstraint('domains_key', ['tenant_id', 'host'])
    .$call(endByKey)
    .execute()
  await sql`create index domains_due on domains (next_check_at) where next_check_at is not null`.execute(db)

  await db.schema
    .createTable('brands')
    .addColumn('tenant_id', 'text', key)
    .addColumn('name', 'text', required)
    .addColumn('privacy_url', 'text')
    .addColumn('terms_url', 'text')
    .addColumn('accent', 'text')
    .addColumn('updated_at', integer, required)
    .$call(end)
    .execute()

  await db.schema
    .createTable('logos')
    .addColumn('tenant_id', 'text', key)
    .addColumn('hash', 'text', required)
    .addColumn('size', integer, required)
    .addColumn('png', bytes, required)
    .addColumn('updated_at', integer, required)
    .$call(end)
    .execute()
}
