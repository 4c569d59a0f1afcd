import type { Account } from '../../domain/accounts/account.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { TenantId } from '../../domain/ids.ts'
import { statusAt } from '../../domain/tenants/tenant.ts'
import { isTenantId } from '../../domain/tenants/tenant-id.ts'
import type { Context } from '../context.ts'
import { readDeletionProgress } from '../social-login/read-deletion-progress.ts'

/**
 * The rows that are left of a project which its owner deleted, for as long as it has a tombstone. An unknown project,
 * another account's, and one that was not deleted give the same error.
 */
export async function readTenantDeletion(ctx: Context, account: Account, tenantId: TenantId): Promise<number> {
  const tenant = isTenantId(tenantId) ? await ctx.stores.tenants.find(tenantId) : null
  if (tenant === null || tenant.owner?.accountId !== account.id || statusAt(tenant, ctx.now()) !== 'expired') {
    throw new ApiError('tenantNotFound', 'You have deleted no project with this name in the last 30 days.')
  }
  return readDeletionProgress(ctx, tenant)
}
