import { REMOVAL_MS, type RemovalRequest } from '../../domain/accounts/person.ts'
import type { LogoutReason } from '../../domain/events/auth-event.ts'
import type { UserId } from '../../domain/ids.ts'
import type { Page, Resource, TransactionStores } from '../../domain/stores/stores.ts'
import type { Author } from '../../domain/tenants/audit.ts'
import { requireTenantAccess, type Tenant } from '../../domain/tenants/tenant.ts'
import type { Instant } from '../../domain/time.ts'
import type { User } from '../../domain/users/user.ts'
import type { Context } from '../context.ts'
import { lockUserCharge } from '../limits/count-auth-event.ts'
import { recordAction } from '../tenants/audit.ts'
import { lockResource, requireResource } from '../tenants/require-tenant.ts'
import {
  endAccess,
  endSomeSessions,
  inOneTransaction,
  isFullBatch,
  StartOver,
} from './block-user.ts'
import { requireUser, userNotFound } from './users.ts'

/**
 * Deletes a user in one transaction: sessions end, the row goes, and the events that remain name no one. The id is not
 * reused; a later sign-in of the same person is a new user.
 */
export async function deleteUser(
  ctx: Context,
  tenant: Tenant,
  userId: UserId | null,
  author: Author,
): Promise<void> {
  requireTenantAccess(tenant, 'use', ctx.now())
  await eraseUser(ctx, tenant, { userId, author, reason: 'owner' })
}

/** Most users have fewer events, so that one transaction is enough. */
const EVENTS_PER_TRANSACTION = 1_000

interface Erasure {
  readonly userId: UserId | null
  readonly author: Author
  readonly reason: LogoutReason
  /** What else is changed in the same transaction, before the user is removed. */
  readonly before?: (stores: TransactionStores, resource: Resource) => Promise<void>
}

/** Deletes a user whatever the status of the tenant: a person can remove their data from a paused app too. */
export async function eraseUser(
  ctx: Context,
  tenant: Tenant,
  { userId, author, reason, before }: Erasure,
): Promise<void> {
  const now = ctx.now()
  const lockUser = async (stores: TransactionStores) => {
    const resource = await lockResource(stores, tenant)
    const user = await requireUser(stores, resource, userId)
    return { tenant, resource, user, reason, now }
  }

  const erase = async (stores: TransactionStores): Promise<void> => {
    const known = await lockUser(stores)
    const { resource, user } = known
    await endAccess(ctx, stores, known, null, async () => {
      await before?.(stores, resource)
      if (!(await stores.users.remove(resource, user.id))) {
        throw userNotFound()
      }
    })

    const events = await stores.events.anonymize(resource, user.id, EVENTS_PER_TRANSACTION)
    if (events === EVENTS_PER_TRANSACTION) {
      throw new StartOver()
    }

    const { counter } = await lockUserCharge(stores, tenant)
    await stores.counters.release(counter, 1)
    await recordAction(stores, {
      tenantId: tenant.id,
      author,
      action: 'user.deleted',
      target: `user:${user.id}`,
      at: now,
    })
    // The only message that has data of a user.
    const subject = { id: user.id, email: user.email }
    await stores.userMessages.record(tenant.id, 'user.deleted', [subject], now)
  }

  const shrink = async (stores: TransactionStores): Promise<boolean> => {
    const known = await lockUser(stores)
    const ended = await endSomeSessions(ctx, stores, known)
    if (isFullBatch(ended)) {
      return true
    }
    const { resource, user } = known
    const anonymized = await stores.events.anonymize(resource, user.id, EVENTS_PER_TRANSACTION)
    return anonymized === EVENTS_PER_TRANSACTION
  }

  await inOneTransaction(ctx, erase, shrink)
  await ctx.stores.eraseDeleted('few')
}

/** A user who asked to be removed, as the owner sees it. */
export interface Removal
  extends Pick<RemovalRequest, 'userId' | 'requestedAt'>,
    Pick<User, 'email'> {
  /** When the sweep deletes the user. */
  readonly dueAt: Instant
}

interface Removals {
  readonly removals: Removal[]
  readonly hasMore: boolean
}

export async function listRemovals(
  ctx: Context,
  tenant: Tenant,
  { after, limit }: Page,
): Promise<Removals> {
  requireTenantAccess(tenant, 'read', ctx.now())
  const resource = await requireResource(ctx.stores, tenant)
  // One more than requested, to know whether there is another page.
  const found = await ctx.stores.removals.page(resource, { after, limit: limit + 1 })
  const removals = found
    .slice(0, limit)
    .map((each) => ({ ...each, dueAt: each.requestedAt + REMOVAL_MS }))
  return { removals, hasMore: found.length > limit }
}

const SHOWN = 20

/** For the owner's page. */
export async function readRemovals(ctx: Context, tenant: Tenant): Promise<Removals> {
  const resource = await ctx.stores.resources.findActive(tenant.id)
  if (resource === null) {
    return { removals: [], hasMore: false }
  }
  return listRemovals(ctx, tenant, { after: 0, limit: SHOWN })
}
