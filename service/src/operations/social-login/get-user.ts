import { ApiError } from '../../domain/api-error.ts'
import type { UserId } from '../../domain/ids.ts'
import type { User } from '../../domain/sessions/user.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import type { Context } from '../context.ts'
import { requireResource } from '../tenants/require-tenant.ts'

export async function getUser(ctx: Context, tenant: Tenant, userId: UserId | null): Promise<User> {
  requireTenantAccess(tenant, 'use', ctx.now())
  const { stores } = ctx
  const resource = await requireResource(stores, tenant)
  const user = userId === null ? null : await stores.users.find(resource, userId)
  if (user === null) throw new ApiError('userNotFound', 'This tenant has no user with this id.')
  return user
}
