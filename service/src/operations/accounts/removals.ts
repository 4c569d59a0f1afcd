import { REMOVALS_PER_MINUTE_PER_ADDRESS } from '@gatehouse-auth/contract'
import { type Identity, REMOVAL_MS, type RemovalRequest } from '../../domain/accounts/person.ts'
import type { TenantId } from '../../domain/ids.ts'
import type { Author } from '../../domain/tenants/audit.ts'
import type { Context } from '../context.ts'
import { type AddressLimit, limitByAddress } from '../limits/limit-requests.ts'
import { recordAction } from '../tenants/audit.ts'
import { lockResource } from '../tenants/require-tenant.ts'
import { eraseUser } from '../users/delete-user.ts'
import { requireUser, userNotFound } from '../users/users.ts'
import { findOwnUser, unlessGone } from './me-apps.ts'

/** Each is a record in the owner's audit, whose size is limited. */
const REMOVAL_LIMIT: AddressLimit = {
  scope: 'removals',
  perMinute: REMOVALS_PER_MINUTE_PER_ADDRESS,
  action: 'change removal requests',
}

export interface RemovalChange {
  readonly person: Identity
  readonly tenantId: TenantId
  readonly author: Author
  readonly addressKey: string
}

/**
 * The owner is responsible for the data of an app and gets a request, with 30 days until the sweep does it. A guest tenant
 * has no owner, so its user is deleted at once.
 */
export async function requestRemoval(
  ctx: Context,
  { person, tenantId, author, addressKey }: RemovalChange,
): Promise<'deleted' | 'requested'> {
  const own = await findOwnUser(ctx, person, tenantId)
  if (own === null) {
    return 'deleted'
  }
  const { tenant, user } = own
  if (tenant.owner === null) {
    await unlessGone(eraseUser(ctx, tenant, { userId: user.id, author, reason: 'person' }))
    return 'deleted'
  }

  const now = ctx.now()
  const change = ctx.stores.transaction(async (stores) => {
    await limitByAddress(ctx, stores, REMOVAL_LIMIT, addressKey, now)
    const resource = await lockResource(stores, tenant)
    await requireUser(stores, resource, user.id)
    const isFirst = await stores.removals.add({
      tenantId: tenant.id,
      resourceId: resource.id,
      userId: user.id,
      requestedAt: now,
      requestId: author.requestId,
    })
    if (!isFirst) {
      return
    }

    await recordAction(stores, {
      tenantId: tenant.id,
      author,
      action: 'user.removal_requested',
      target: `user:${user.id}`,
      at: now,
    })
    await stores.userMessages.record(tenant.id, 'user.removal_requested', [{ id: user.id }], now)
  })
  await unlessGone(change)
  return 'requested'
}

/** The person keeps their data in the app. */
export async function withdrawRemoval(
  ctx: Context,
  { person, tenantId, author, addressKey }: RemovalChange,
): Promise<void> {
  const own = await findOwnUser(ctx, person, tenantId)
  if (own === null) {
    return
  }
  const { tenant, user } = own
  const now = ctx.now()
  const change = ctx.stores.transaction(async (stores) => {
    await limitByAddress(ctx, stores, REMOVAL_LIMIT, addressKey, now)
    const resource = await lockResource(stores, tenant)
    if (!(await stores.removals.withdraw(resource, user.id))) {
      return
    }
    await recordAction(stores, {
      tenantId: tenant.id,
      author,
      action: 'user.removal_withdrawn',
      target: `user:${user.id}`,
      at: now,
    })
    await stores.userMessages.record(tenant.id, 'user.updated', [{ id: user.id }], now)
  })
  await unlessGone(change)
}

const USERS_PER_SWEEP = 100

/** Deletes the users who asked for it 30 days ago and whom the owner did not delete. For the sweep. One that fails stops no other. */
export async function meetRemovals(ctx: Context): Promise<void> {
  const due = await ctx.stores.removals.listDue(ctx.now() - REMOVAL_MS, USERS_PER_SWEEP)
  const failures: unknown[] = []
  for (const request of due) {
    try {
      await meetRemoval(ctx, request)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) {
    throw new Error(`${failures.length} users could not be removed`, { cause: failures[0] })
  }
}

async function meetRemoval(
  ctx: Context,
  { tenantId, userId, requestId }: RemovalRequest,
): Promise<void> {
  const tenant = await ctx.stores.tenants.find(tenantId)
  // A request of a former resource is deleted with its other rows.
  if (tenant === null) {
    return
  }

  const erasing = eraseUser(ctx, tenant, {
    userId,
    author: { actor: 'person', requestId },
    reason: 'person',
    async before(stores, resource) {
      // The person may have withdrawn it since it was listed.
      if (!(await stores.removals.withdraw(resource, userId))) {
        throw userNotFound()
      }
    },
  })
  await unlessGone(erasing)
}
