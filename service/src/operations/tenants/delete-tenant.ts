import type { Author } from '../../domain/audit/action.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import type { Context } from '../context.ts'
import { readDeletionProgress } from '../social-login/read-deletion-progress.ts'
import { endTenant } from './end-tenant.ts'

/** The owner deletes the project. Not while it is suspended: what the operator examines stays. Returns the rows left. */
export async function deleteTenant(
  ctx: Pick<Context, 'stores' | 'now' | 'directory'>,
  tenant: Tenant,
  author: Author,
): Promise<number> {
  requireTenantAccess(tenant, 'delete', ctx.now())
  await endTenant(ctx, tenant, 'deleted', author)
  return readDeletionProgress(ctx, tenant)
}
