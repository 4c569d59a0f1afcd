import type { Account } from '../../domain/accounts/account.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { TenantId } from '../../domain/ids.ts'
import { statusAt, type Tenant } from '../../domain/tenants/tenant.ts'
import { isTenantId } from '../../domain/tenants/tenant-id.ts'
import type { Context } from '../context.ts'
import { type NewTenant, unsealKeyPair } from './keys.ts'

/** The identities of a browser: a signed-in account, a guest cookie, or both. */
interface Reader {
  readonly account: Account | null
  readonly guest: string | null
}

/**
 * The keys of a tenant that a grant created, for its owner or, while it has none, for the guest who created it (spec,
 * Authentication 9). All other cases give the same error.
 */
export async function readCredentials(
  ctx: Context,
  tenantId: TenantId,
  reader: Reader,
): Promise<NewTenant> {
  const tenant = isTenantId(tenantId) ? await ctx.stores.tenants.find(tenantId) : null
  if (
    tenant === null ||
    statusAt(tenant, ctx.now()) === 'expired' ||
    !mayRead(ctx, tenant, reader)
  ) {
    throw credentialsNotFound()
  }
  const kept = await findKeptKeys(ctx, tenant)
  if (kept === null) {
    throw credentialsNotFound()
  }
  return kept
}

/** The keys of a tenant whose credentials can be downloaded again; null for any other. */
export async function findKeptKeys(
  ctx: Pick<Context, 'stores' | 'keyring'>,
  tenant: Tenant,
): Promise<NewTenant | null> {
  const sealed = await ctx.stores.credentials.find(tenant.id)
  return sealed === null ? null : { tenant, ...unsealKeyPair(ctx, tenant.id, sealed) }
}

function mayRead({ keyring }: Context, tenant: Tenant, { account, guest }: Reader): boolean {
  if (tenant.claimedAt !== null) {
    return account !== null && tenant.owner?.accountId === account.id
  }
  const { creatorGuestHash } = tenant
  return (
    guest !== null &&
    creatorGuestHash !== null &&
    keyring.hashes('guest', guest).includes(creatorGuestHash)
  )
}

const credentialsNotFound = (): ApiError =>
  new ApiError(
    'tenantNotFound',
    'There are no credentials here that this browser may download. Those of a project that was created without signing in are shown once and not kept; its owner can replace them on its page.',
  )
