import type { TenantId } from '../../domain/ids.ts'
import { isTenantId } from '../../domain/tenants/tenant-id.ts'
import type { Context } from '../context.ts'

/** The picture that an earlier page named by its hash; null if there is none, or another one now. */
export async function readLogo(
  ctx: Pick<Context, 'stores'>,
  tenantId: TenantId,
  hash: string,
): Promise<Uint8Array | null> {
  if (!isTenantId(tenantId) || !/^[0-9a-f]{64}$/.test(hash)) return null
  return ctx.stores.brands.findLogo(tenantId, hash)
}
