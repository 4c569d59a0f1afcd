import { ApiError } from '../../domain/api-error.ts'
import type { FoundKey } from '../../domain/stores/stores.ts'
import { readTenantKey, type TenantKeyKind } from '../../domain/tenants/tenant-keys.ts'
import type { Context } from '../context.ts'

const invalidCredentials = (): ApiError =>
  new ApiError(
    'invalidCredentials',
    'This key is not one of ours, or it has ended. Check the .service file it came from.',
  )

/** Returns a key and its tenant. Does not check the status of the tenant (see requireTenantAccess). */
export async function authenticateKey(
  ctx: Pick<Context, 'stores' | 'keyring' | 'keyUses' | 'now'>,
  presented: string,
  wanted: TenantKeyKind,
): Promise<FoundKey> {
  // The checksum first: a mistyped or invented key costs no query.
  const key = readTenantKey(presented)
  if (key === null) throw invalidCredentials()
  const found = await ctx.stores.tenants.findByKey(ctx.keyring.hashes(key.kind, key.key), ctx.now())
  if (found === null) throw invalidCredentials()
  if (found.kind !== wanted) throw wrongKeyKind(wanted)
  ctx.keyUses.add(found, ctx.now())
  return found
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
