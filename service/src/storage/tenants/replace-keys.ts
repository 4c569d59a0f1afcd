import type { TenantKeyKind } from '../../domain/tenants/tenant-keys.ts'
import type { TransactionAccess } from '../access.ts'

interface Replacement {
  readonly tenantId: string
  readonly keys: readonly { readonly kind: TenantKeyKind; readonly hash: string }[]
  /** How long the keys that are there now go on working, unless they end sooner anyway. */
  readonly oldUntil: number
  readonly now: number
}

/** The old keys get their end, the new ones come in, and those that have run out are forgotten. */
export async function replaceKeys(
  open: TransactionAccess,
  { tenantId, keys, oldUntil, now }: Replacement,
): Promise<void> {
  await lockTenant(open, tenantId)
  const { write } = open
  await write.deleteFrom('tenant_keys').where('tenant_id', '=', tenantId).where('expires_at', '<=', now).execute()
  await write
    .updateTable('tenant_keys')
    .set({ expires_at: oldUntil })
    .where('tenant_id', '=', tenantId)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', oldUntil)]))
    .execute()
  for (const { kind, hash } of keys) {
    await write
      .insertInto('tenant_keys')
      .values({ hash, tenant_id: tenantId, kind, created_at: now, expires_at: null })
      .execute()
  }
}

/**
 * Two replacements at once would not see each other's keys, and both pairs would live for ever: the second waits. SQLite
 * needs no lock, because its transactions begin as the only writer.
 */
async function lockTenant({ engine, write }: TransactionAccess, tenantId: string): Promise<void> {
  if (engine === 'sqlite') return
  await write.selectFrom('tenants').select('id').where('id', '=', tenantId).forNoKeyUpdate().execute()
}
