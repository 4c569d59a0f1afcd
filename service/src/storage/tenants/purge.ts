import type { CounterScope } from '../../domain/limits/counter.ts'
import type { TransactionAccess } from '../access.ts'

/** The tables with rows of a tenant, besides its social login. Feedback is not among them: that is the operator's. */
const TABLES = [
  'tenant_keys',
  'edge_sessions',
  'login_attempts',
  'claims',
  'request_records',
  'tenant_credentials',
  'idempotency_keys',
] as const

/** Removes a tombstone and all that hangs on it. One that has not ended is left alone. */
export async function purgeTenant({ write }: TransactionAccess, tenantId: string): Promise<void> {
  // The update changes nothing; it is the lock that both engines have.
  const { numUpdatedRows } = await write
    .updateTable('tenants')
    .set((eb) => ({ ended_at: eb.ref('ended_at') }))
    .where('id', '=', tenantId)
    .where('ended_at', 'is not', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return

  for (const table of TABLES) await write.deleteFrom(table).where('tenant_id', '=', tenantId).execute()
  const scope: CounterScope = `tenant:${tenantId}`
  await write.deleteFrom('counters').where('scope', '=', scope).execute()
  await write.deleteFrom('tenants').where('id', '=', tenantId).execute()
}
