import { ApiError } from '../../domain/api-error.ts'
import type { UserId } from '../../domain/ids.ts'
import type { User, UserRecord } from '../../domain/sessions/user.ts'
import type { Resource, TransactionStores } from '../../domain/stores/stores.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { requireTenantAccess } from '../../domain/tenants/tenant-access.ts'
import type { Context } from '../context.ts'
import { requireResource } from '../tenants/require-tenant.ts'

export async function getUser(ctx: Context, tenant: Tenant, userId: UserId | null): Promise<UserRecord> {
  requireTenantAccess(tenant, 'read', ctx.now())
  return requireUserRecord(ctx.stores, await requireResource(ctx.stores, tenant), userId)
}

type Users = Pick<TransactionStores, 'users'>

/** `userId` is null if the path has no number. */
export async function requireUser({ users }: Users, resource: Resource, userId: UserId | null): Promise<User> {
  const user = userId === null ? null : await users.find(resource, userId)
  if (user === null) throw userNotFound()
  return user
}

/** The same, with everything that is stored about the user. Reads all their sessions, so steps of 250 do without it. */
export async function requireUserRecord(
  { users }: Users,
  resource: Resource,
  userId: UserId | null,
): Promise<UserRecord> {
  const user = userId === null ? null : await users.findRecord(resource, userId)
  if (user === null) throw userNotFound()
  return user
}

export const userNotFound = (): ApiError => new ApiError('userNotFound', 'This tenant has no user with this id.')
