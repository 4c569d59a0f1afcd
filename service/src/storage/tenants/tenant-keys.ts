import type { TenantKey } from '../../domain/stores/stores.ts'
import type { Access } from '../access.ts'

/** The start of its hash. */
export const keyId = (hash: string): string => hash.slice(0, 8)

export async function listKeys(access: Access, tenantId: string, now: number): Promise<TenantKey[]> {
  const rows = await access.read
    .selectFrom('tenant_keys')
    .select(['hash', 'kind', 'issued_to_owner', 'created_at', 'expires_at', 'last_used_at'])
    .where('tenant_id', '=', tenantId)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .orderBy((eb) => eb.case().when('expires_at', 'is', null).then(0).else(1).end())
    .orderBy('created_at', 'desc')
    .orderBy('kind', 'desc')
    .orderBy('hash')
    .execute()
  return rows.map((row) => ({
    id: keyId(row.hash),
    kind: row.kind,
    issuedToOwner: row.issued_to_owner === 1,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
  }))
}

/** One conditional statement: of several instances that saw the same hour end, only the first writes. */
export async function touchKeys(
  access: Access,
  hashes: readonly string[],
  usedAt: number,
  before: number,
): Promise<void> {
  await access.write
    .updateTable('tenant_keys')
    .set({ last_used_at: usedAt })
    .where('hash', 'in', hashes)
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<=', before)]))
    .execute()
}
