import type { EventScope } from '../../domain/limits/event-counts.ts'
import type { TransactionAccess } from '../access.ts'

/** Tables with rows of a tenant, apart from its social login. Not `feedback`, which belongs to the operator. */
const TABLES = [
  'tenant_keys',
  'edge_sessions',
  'login_attempts',
  'login_codes',
  'claims',
  'request_records',
  'actions',
  'domains',
  'brands',
  'logos',
  'provider_clients',
  'webhooks',
  'webhook_retries',
  'webhook_attempts',
  'refusals',
  'tenant_credentials',
  'idempotency_keys',
] as const

/** Deletes a tombstone and all rows that refer to it. Does nothing for a tenant that has not ended. */
export async function purgeTenant({ write }: TransactionAccess, tenantId: string): Promise<void> {
  // An update that changes nothing is a row lock on both engines.
  const { numUpdatedRows } = await write
    .updateTable('tenants')
    .set((eb) => ({ ended_at: eb.ref('ended_at') }))
    .where('id', '=', tenantId)
    .where('ended_at', 'is not', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return

  for (const table of TABLES) await write.deleteFrom(table).where('tenant_id', '=', tenantId).execute()
  const scope: EventScope = `tenant:${tenantId}`
  for (const table of ['counters', 'event_counts'] as const) {
    await write.deleteFrom(table).where('scope', '=', scope).execute()
  }
  await write.deleteFrom('tenants').where('id', '=', tenantId).execute()
}
