import type { TransactionStores } from '../../domain/stores/stores.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import type { Duration, Instant } from '../../domain/time.ts'
import type { Context } from '../context.ts'
import { withAdvice } from '../unknown-outcome.ts'
import type { NewTenant } from './create-guest-tenant.ts'
import { keyHashes, mintKeyPair, sealKeyPair } from './tenant-key-pair.ts'

/** `overlap`: the old keys work for another day. `now`: they are rejected at once. */
export type KeyReplacement = 'overlap' | 'now'

export interface ReplacedKeys extends NewTenant {
  /** null: the old keys no longer work. */
  readonly oldKeysUntil: Instant | null
}

/** Time to give the new credentials file to every agent that uses the old one. */
const OVERLAP_MS: Duration = 24 * 3_600_000

/** Issues new keys to the owner. */
export const replaceKeys = (
  ctx: Context,
  tenant: Tenant,
  replacement: KeyReplacement = 'overlap',
): Promise<ReplacedKeys> =>
  withAdvice(
    'The keys may have been replaced. Replace them again to get keys that work.',
    ctx.stores.confirmedTransaction((stores) => replaceKeysIn(ctx, stores, tenant, replacement)),
  )

/** The same, in the caller's transaction. */
export async function replaceKeysIn(
  ctx: Context,
  stores: TransactionStores,
  tenant: Tenant,
  replacement: KeyReplacement,
): Promise<ReplacedKeys> {
  const now = ctx.now()
  const keys = mintKeyPair(ctx)
  const oldUntil = replacement === 'now' ? now : now + OVERLAP_MS
  await stores.ownership.replaceKeys(tenant.id, keyHashes(ctx, keys), oldUntil, now)
  // A downloadable copy, if there is one, has the new keys.
  await stores.credentials.replace(tenant.id, sealKeyPair(ctx, tenant.id, keys), now)
  return { tenant, ...keys, oldKeysUntil: replacement === 'now' ? null : oldUntil }
}
