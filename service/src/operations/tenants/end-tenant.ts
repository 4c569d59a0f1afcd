import type { Account } from '../../domain/accounts/account.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { TenantId } from '../../domain/ids.ts'
import type { Author } from '../../domain/tenants/audit.ts'
import {
  requireTenantAccess,
  statusAt,
  type Tenant,
  tenantSuspended,
} from '../../domain/tenants/tenant.ts'
import { isTenantId } from '../../domain/tenants/tenant-id.ts'
import { releaseProject } from '../accounts/accounts.ts'
import { alreadyClaimed } from '../claims/request-claim.ts'
import type { Context } from '../context.ts'
import { recordAction } from './audit.ts'
import { markSocialLoginDeleted, purgeResource, readDeletionProgress } from './purge-resource.ts'

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

type EndReason = 'overdue' | 'deleted' | 'test'

const ROWS_BEFORE_RETURN = 10_000

/**
 * Ends a guest tenant after its 72 hours or for a test, or a tenant that its owner deleted. Its data becomes unreadable at
 * once and is then deleted; a tombstone gives 410 for 30 days. Idempotent after a kill.
 */
export async function endTenant(
  ctx: Pick<Context, 'stores' | 'now' | 'directory'>,
  tenant: Tenant,
  reason: EndReason,
  author?: Author,
): Promise<void> {
  const now = ctx.now()
  const removed = await ctx.stores.transaction(async (stores) => {
    // First, because it is conditional: the tenant may have been claimed meanwhile.
    const { ownership } = stores
    const isEnded =
      reason === 'overdue'
        ? await ownership.endOverdue(tenant.id, now)
        : await ownership.end(tenant.id, now)
    if (!isEnded) {
      return null
    }

    // Read again: it may have been claimed or suspended since the caller read it.
    const current = (await stores.tenants.find(tenant.id)) ?? tenant
    requireEndable(current, reason, author)

    if (current.owner !== null) {
      await releaseProject(stores, current.owner.accountId)
    }
    // Kept with the tombstone, for the operator.
    if (author !== undefined) {
      await recordAction(stores, { tenantId: tenant.id, author, action: 'tenant.deleted', at: now })
    }

    const resource = await markSocialLoginDeleted(stores, tenant.id, now)
    await stores.claims.removeByTenant(tenant.id)
    await stores.requestRecords.removeByTenant(tenant.id)
    await stores.credentials.remove(tenant.id)
    return resource
  })
  ctx.directory.invalidate(tenant.id)
  if (removed !== null) {
    await purgeResource(ctx, tenant, removed.id, ROWS_BEFORE_RETURN)
  }
}

/** Throws, which rolls the end back: a test ends guests only, and what the operator examines stays. */
function requireEndable(
  { owner, suspension }: Tenant,
  reason: EndReason,
  author: Author | undefined,
): void {
  if (owner !== null && reason === 'test') {
    throw alreadyClaimed()
  }
  const endsSuspended = reason === 'overdue' || author?.actor === 'operator'
  if (suspension !== null && !endsSuspended) {
    throw tenantSuspended()
  }
}

/**
 * The rows that are left of a project which its owner deleted, for as long as it has a tombstone. An unknown project,
 * another account's, and one that was not deleted give the same error.
 */
export async function readTenantDeletion(
  ctx: Context,
  account: Account,
  tenantId: TenantId,
): Promise<number> {
  const tenant = isTenantId(tenantId) ? await ctx.stores.tenants.find(tenantId) : null
  if (
    tenant === null ||
    tenant.owner?.accountId !== account.id ||
    statusAt(tenant, ctx.now()) !== 'expired'
  ) {
    throw new ApiError(
      'tenantNotFound',
      'You have deleted no project with this name in the last 30 days.',
    )
  }
  return readDeletionProgress(ctx, tenant)
}
