import type { Account } from '../../domain/accounts/account.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { TenantId } from '../../domain/ids.ts'
import type { Resource, Stores, TransactionStores } from '../../domain/stores/stores.ts'
import {
  type OwnedTenant,
  requireTenantAccess,
  type Tenant,
  type TenantAction,
} from '../../domain/tenants/tenant.ts'
import { isTenantId } from '../../domain/tenants/tenant-id.ts'

export const tenantNotFound = (): ApiError =>
  new ApiError('tenantNotFound', 'No tenant has this id.')

export const notProvisioned = (): ApiError =>
  new ApiError(
    'notProvisioned',
    'Social login is not provisioned for this tenant. Register its callback URLs first: POST /api/resources/social-login.',
  )

/** The tenant of an edge call, if it exists and its status allows the action. */
export async function requireTenant(
  stores: Pick<TransactionStores, 'tenants'>,
  tenantId: TenantId,
  now: number,
  action: TenantAction = 'use',
): Promise<Tenant> {
  const tenant = isTenantId(tenantId) ? await stores.tenants.find(tenantId) : null
  if (tenant === null) {
    throw tenantNotFound()
  }
  requireTenantAccess(tenant, action, now)
  return tenant
}

/** The tenant's social login, for reading. */
export async function requireResource(
  stores: Pick<TransactionStores, 'resources'>,
  { id }: Pick<Tenant, 'id'>,
): Promise<Resource> {
  return requireProvisioned(await stores.resources.findActive(id))
}

/** Locks the tenant's social login until the end of the transaction, so that nothing is written during its deletion. */
export async function lockResource(
  stores: Pick<TransactionStores, 'resources'>,
  tenant: Tenant,
): Promise<Resource> {
  return requireProvisioned(await stores.resources.lockActive(tenant.id))
}

function requireProvisioned(resource: Resource | null): Resource {
  if (resource === null) {
    throw notProvisioned()
  }
  return resource
}

/** Checked on every request, because ownership can change. Another account's tenant gives the same error as an unknown id. */
export async function requireOwnedTenant(
  ctx: { readonly stores: Pick<Stores, 'ownership'> },
  account: Account,
  tenantId: TenantId,
): Promise<OwnedTenant> {
  const owned = await ctx.stores.ownership.ownedBy(account.id)
  const tenant = owned.find(({ id }) => id === tenantId)
  if (tenant === undefined) {
    throw new ApiError('tenantNotFound', 'You have no project with this name.')
  }
  return tenant
}

/** The projects of an account, without what happened in them. */
export const listOwnedTenants = (
  ctx: { readonly stores: Pick<Stores, 'ownership'> },
  account: Account,
): Promise<readonly Tenant[]> => ctx.stores.ownership.ownedBy(account.id)
