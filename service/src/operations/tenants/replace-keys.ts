import type { Tenant } from '../../domain/tenants/tenant.ts'
import { mintTenantKey } from '../../domain/tenants/tenant-keys.ts'
import type { Context } from '../context.ts'
import type { NewTenant } from './create-guest-tenant.ts'

/** Long enough to hand the new file to every agent that uses the old one. */
export const OLD_KEYS_MS = 24 * 3_600_000

/** New keys at once; the old ones work for another day. */
export async function replaceKeys(
  ctx: Context,
  tenant: Tenant,
): Promise<NewTenant & { readonly oldKeysUntil: number }> {
  const now = ctx.now()
  const managementKey = mintTenantKey('management', ctx.random)
  const applicationKey = mintTenantKey('application', ctx.random)
  const oldKeysUntil = now + OLD_KEYS_MS
  await ctx.stores.ownership.replaceKeys(
    tenant.id,
    [
      { kind: 'management', hash: ctx.keyring.hash('management', managementKey) },
      { kind: 'application', hash: ctx.keyring.hash('application', applicationKey) },
    ],
    oldKeysUntil,
    now,
  )
  return { tenant, managementKey, applicationKey, oldKeysUntil }
}
