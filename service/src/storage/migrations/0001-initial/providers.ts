import { type Kysely, sql } from 'kysely'
import type { Engine } from '../../engine.ts'
import { columnsOf, required } from './columns.ts'

/** Clients of tenants at identity providers. */
export async function providers(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { integer, bytes, endByKey } = columnsOf(engine)

  await db.schema
    .createTable('provider_clients')
    .addColumn('tenant_id', 'text', required)
    .addColumn('id', 'text', required)
    .addColumn('provider', 'text', required)
    .addColumn('mode', 'text', required)
    .addColumn('client_id', 'text')
    .addColumn('issuer', 'text')
    .addColumn('display_name', 'text')
    .addColumn('sealed', bytes)
    .addColumn('redirect_uri', 'text', required)
    .addColumn('status', 'text', required)
    .addColumn('created_at', integer, required)
    .addColumn('tested_at', integer)
    .addColumn('retired_at', integer)
    .addPrimaryKeyConstraint('provider_clients_key', ['tenant_id', 'id'])
    .$call(endByKey)
    .execute()
  await sql`create index provider_clients_retired on provider_clients (retired_at) where retired_at is not null`.execute(
    db,
  )
}
