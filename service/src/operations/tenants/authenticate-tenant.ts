import { ApiError } from '../../domain/api-error.ts'
import type { TenantId } from '../../domain/ids.ts'
import type { FoundKey } from '../../domain/stores/stores.ts'
import { readTenantKey } from '../../domain/tenants/tenant-keys.ts'
import type { Context } from '../context.ts'

/**
 * Returns the management key of a tenant. A wrong id and a wrong key give the same error, which does not
 * reveal whether a tenant exists (spec, Authentication 5).
 */
export async function authenticateTenant(
  ctx: Pick<Context, 'stores' | 'keyring' | 'keyUses' | 'now'>,
  tenantId: TenantId,
  managementKey: string,
): Promise<FoundKey> {
  const key = readTenantKey(managementKey)
  // Recognized by its prefix, without a query.
  if (key?.kind === 'application') throw applicationKey()
  const found =
    key === null ? null : await ctx.stores.tenants.findByKey(ctx.keyring.hashes('management', key.key), ctx.now())
  if (found === null || found.kind !== 'management' || found.tenant.id !== tenantId) throw invalidCredentials()
  ctx.keyUses.add(found, ctx.now())
  return found
}

const invalidCredentials = (): ApiError =>
  new ApiError(
    'invalidCredentials',
    'No tenant has this tenant_id together with this coh_management_key. Copy both from the .service file of the project.',
  )

const applicationKey = (): ApiError =>
  new ApiError(
    'wrongKeyKind',
    'This is an application key. Send the management key: coh_management_key in the .service file, which begins with svc_man_.',
  )
