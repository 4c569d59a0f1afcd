import type { Kysely } from 'kysely'
import type { Engine } from '../profiles.ts'
import { columnsOf, key, required } from './columns.ts'

/** Tenants that an OAuth grant creates: who did, under which name, and their keys for when they are asked for again. */
export async function credentials(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { integer, bytes, endByKey } = columnsOf(engine)

  await db.schema.alterTable('tenants').addColumn('creator_guest_hash', 'text').execute()

  await db.schema
    .createTable('idempotency_keys')
    .addColumn('scope', 'text', key)
    .addColumn('tenant_id', 'text', required)
    .addColumn('created_at', integer, required)
    .$call(endByKey)
    .execute()
  // A tenant that is buried takes its name along.
  await db.schema.createIndex('idempotency_keys_of').on('idempotency_keys').column('tenant_id').execute()

  await db.schema
    .createTable('tenant_credentials')
    .addColumn('tenant_id', 'text', key)
    .addColumn('sealed', bytes, required)
    .addColumn('sealed_at', integer, required)
    .$call(endByKey)
    .execute()
}
