import { ApiError } from '../../domain/api-error.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { readTenantKey, type TenantKeyKind } from '../../domain/tenants/tenant-keys.ts'
import type { Context } from '../context.ts'

const invalidCredentials = (): ApiError =>
  new ApiError(
    'invalidCredentials',
    'This key is not one of ours, or it has ended. Check the .service file it came from.',
  )

/** A tenant key → its tenant. What the tenant may still do is asked elsewhere (tenant-access.ts). */
export async function authenticateKey(
  ctx: Pick<Context, 'stores' | 'keyring' | 'now'>,
  presented: string,
  wanted: TenantKeyKind,
): Promise<Tenant> {
  // The checksum comes first, so that a mistyped or made-up key never reaches the database.
  const key = readTenantKey(presented)
  if (key === null) throw invalidCredentials()
  const found = await ctx.stores.tenants.findByKey(ctx.keyring.hashes(key.kind, key.key), ctx.now())
  if (found === null) throw invalidCredentials()
  if (found.kind !== wanted) throw wrongKeyKind(wanted)
  return found.tenant
}

const wrongKeyKind = (wanted: TenantKeyKind): ApiError =>
  wanted === 'management'
    ? new ApiError(
        'wrongKeyKind',
        'This is an application key. Endpoints under /api take the management key (svc_man_…).',
      )
    : new ApiError(
        'wrongKeyKind',
        'This is a management key. It must stay on the server; send the application key (svc_app_…).',
      )
