import type { EventScope } from '../../domain/limits/counter.ts'
import type { TransactionAccess } from '../access.ts'

/**
 * Every table with rows of a tenant, and what removes them. `resource`: the deletion of the social login, in portions
 * (`../social-login/purge.ts`). `social login`: the same deletion, at once. `tenant`: the end of the tombstone. `kept`: not the
 * tenant's; feedback is the operator's, and revocations expire. A test compares this list with the schema.
 */
export const TENANT_TABLES = {
  resources: 'resource',
  users: 'resource',
  sessions: 'resource',
  events: 'resource',
  removal_requests: 'resource',
  consents: 'resource',
  day_tallies: 'resource',
  login_attempts: 'social login',
  login_codes: 'social login',
  domains: 'social login',
  brands: 'social login',
  logos: 'social login',
  provider_clients: 'social login',
  webhooks: 'social login',
  webhook_retries: 'social login',
  webhook_attempts: 'social login',
  refusals: 'social login',
  tenant_keys: 'tenant',
  tenant_credentials: 'tenant',
  idempotency_keys: 'tenant',
  claims: 'tenant',
  edge_sessions: 'tenant',
  request_records: 'tenant',
  actions: 'tenant',
  feedback: 'kept',
  revocations: 'kept',
} as const

type Removed = (typeof TENANT_TABLES)[keyof typeof TENANT_TABLES]
type TablesRemovedWith<How extends Removed> = {
  [Table in keyof typeof TENANT_TABLES]: (typeof TENANT_TABLES)[Table] extends How ? Table : never
}[keyof typeof TENANT_TABLES]

const PURGED = Object.entries(TENANT_TABLES)
  .filter(([, removed]) => removed === 'social login' || removed === 'tenant')
  .map(([table]) => table as TablesRemovedWith<'social login' | 'tenant'>)

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

  for (const table of PURGED) await write.deleteFrom(table).where('tenant_id', '=', tenantId).execute()
  const scope: EventScope = `tenant:${tenantId}`
  for (const table of ['counters', 'event_counts'] as const) {
    await write.deleteFrom(table).where('scope', '=', scope).execute()
  }
  await write.deleteFrom('tenants').where('id', '=', tenantId).execute()
}
