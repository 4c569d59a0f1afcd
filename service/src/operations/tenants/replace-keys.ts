import type { Tenant } from '../../domain/tenants/tenant.ts'
import type { Duration } from '../../domain/time.ts'
import type { Context } from '../context.ts'
import type { NewTenant } from './create-guest-tenant.ts'
import { keyHashes, mintKeyPair, sealKeyPair } from './tenant-key-pair.ts'

/** Time to give the new credentials file to every agent that uses the old one. */
const OLD_KEYS_MS: Duration = 24 * 3_600_000

/** Issues new keys; the old ones work for another day. */
export async function replaceKeys(
  ctx: Context,
  tenant: Tenant,
): Promise<NewTenant & { readonly oldKeysUntil: number }> {
  const now = ctx.now()
  const keys = mintKeyPair(ctx)
  const oldKeysUntil = now + OLD_KEYS_MS
  await ctx.stores.transaction(async (stores) => {
    await stores.ownership.replaceKeys(tenant.id, keyHashes(ctx, keys), oldKeysUntil, now)
    // A downloadable copy, if there is one, has the new keys.
    await stores.credentials.replace(tenant.id, sealKeyPair(ctx, tenant.id, keys), now)
  })
  return { tenant, ...keys, oldKeysUntil }
}
