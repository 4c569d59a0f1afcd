import type { Account } from '../../domain/accounts/account.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { TenantId } from '../../domain/ids.ts'
import type { OwnedTenant } from '../../domain/tenants/tenant.ts'
import type { Context } from '../context.ts'

/** Checked on every request, because ownership can change. Another account's tenant gives the same error as an unknown id. */
export async function requireOwnedTenant(ctx: Context, account: Account, tenantId: TenantId): Promise<OwnedTenant> {
  const owned = await ctx.stores.ownership.ownedBy(account.id)
  const tenant = owned.find(({ id }) => id === tenantId)
  if (tenant === undefined) throw new ApiError('tenantNotFound', 'You have no project with this name.')
  return tenant
}
