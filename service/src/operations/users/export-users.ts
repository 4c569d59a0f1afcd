import type { Author } from '../../domain/audit/action.ts'
import type { UserRecord } from '../../domain/sessions/user.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import { recordAction } from '../audit/record-action.ts'
import type { Context } from '../context.ts'
import { lockResource } from '../tenants/require-tenant.ts'
import { type ListedUsers, listUserRecords } from './list-users.ts'

/** Lists everything that is stored about every user. Audited before the first byte: it reads all personal data at once. */
export async function exportUsers(ctx: Context, tenant: Tenant, author: Author): Promise<ListedUsers<UserRecord>> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'read', now)
  await ctx.stores.transaction(async (stores) => {
    await lockResource(stores, tenant)
    await recordAction(stores, { tenantId: tenant.id, author, action: 'users.exported', at: now })
  })
  return listUserRecords(ctx, tenant, {})
}
