import { appAddress } from '../../domain/callbacks/app-address.ts'
import { callbackFromStored } from '../../domain/callbacks/url.ts'
import type { TenantId } from '../../domain/ids.ts'
import type { Context } from '../context.ts'
import { requireUnblockedHosts } from '../moderation/require-unblocked-hosts.ts'
import { requireResource, requireTenant } from '../tenants/require-tenant.ts'

/**
 * The address of an app, for the button of an error page. null: it is unknown, the operator suspended the project or blocked
 * the host, or it can't be read now; an error page must be shown anyway.
 */
export async function findAppAddress(
  ctx: Pick<Context, 'stores' | 'now'>,
  tenantId: TenantId,
  redirectUri: string | undefined,
): Promise<string | null> {
  try {
    const tenant = await requireTenant(ctx.stores, tenantId, ctx.now(), 'read')
    if (tenant.suspension !== null) return null
    const resource = await requireResource(ctx.stores, tenant)
    const address = appAddress(resource.callbackUrls.map(callbackFromStored), redirectUri)
    if (address !== null) await requireUnblockedHosts(ctx.stores, [new URL(address).hostname])
    return address
  } catch {
    return null
  }
}
