import { USER_IDENTITIES_MAX } from '@gatehouse-auth/contract'
import { ApiError, invalidRequest } from '../../domain/api-error.ts'
import type { LogoutReason } from '../../domain/events/auth-event.ts'
import type { UserId } from '../../domain/ids.ts'
import type { Resource, TransactionStores } from '../../domain/stores/stores.ts'
import type { Author } from '../../domain/tenants/audit.ts'
import { requireTenantAccess, type Tenant } from '../../domain/tenants/tenant.ts'
import type { UserIdentity, UserRecord } from '../../domain/users/user.ts'
import type { Context } from '../context.ts'
import { type NameIssuer, nameIssuers } from '../providers/providers.ts'
import { recordAction } from '../tenants/audit.ts'
import { lockResource } from '../tenants/require-tenant.ts'
import { changeAndEndSessions } from './block-user.ts'
import { eraseUser } from './delete-user.ts'
import { requireUserRecord } from './users.ts'

/** An identity of a user, as a path names it. */
interface IdentityRef {
  readonly userId: UserId | null
  readonly provider: string
  /** Needed only if the user has several at the provider. */
  readonly subject: string | undefined
}

/**
 * Removes an identity, never the only one, and none of a blocked user: it could sign in as another user. The user's sessions end
 * with it: a session does not say which identity opened it, and a lost account at the provider must not stay signed in.
 */
export async function removeUserIdentity(
  ctx: Context,
  tenant: Tenant,
  ref: IdentityRef,
  author: Author,
  reason: LogoutReason = 'owner',
): Promise<void> {
  const now = ctx.now()
  const providerOf = await nameIssuers(ctx, tenant.id)
  const remove = async (
    stores: TransactionStores,
    resource: Resource,
    user: UserRecord,
  ): Promise<boolean> => {
    const identity = requireIdentity(user, providerOf, ref)
    if (!(await stores.identities.remove(resource, user.id, identity))) {
      throw onlyIdentity()
    }
    // After the removal has locked the row of the user: a concurrent block waits, or this statement sees it.
    if ((await stores.users.lockUnblocked(resource, user.id)) === null) {
      throw userBlocked()
    }
    await stores.userMessages.record(tenant.id, 'user.updated', [{ id: user.id }], now)
    return true
  }
  const recorded = { author, action: 'user.identity_removed', reason, now } as const
  await changeAndEndSessions(ctx, tenant, ref.userId, recorded, remove)
}

/** Shows the user with the profile of this identity, or again with that of the one that signed in last. */
export async function pinUserIdentity(
  ctx: Context,
  tenant: Tenant,
  ref: IdentityRef,
  pinned: boolean,
  author: Author,
): Promise<void> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'use', now)
  const providerOf = await nameIssuers(ctx, tenant.id)
  await ctx.stores.transaction(async (stores) => {
    const resource = await lockResource(stores, tenant)
    const user = await requireUserRecord(stores, resource, ref.userId)
    const identity = requireIdentity(user, providerOf, ref)
    if (identity.pinned === pinned && user.identities.length > 1) {
      return
    }

    await recordAction(stores, {
      tenantId: tenant.id,
      author,
      action: 'user.identity_pinned',
      target: `user:${user.id}`,
      at: now,
    })
    const isChanged = await stores.identities.pin(resource, user.id, pinned ? identity : null)
    if (!isChanged) {
      throw onlyIdentity()
    }
    await stores.userMessages.record(tenant.id, 'user.updated', [{ id: user.id }], now)
  })
}

function requireIdentity(
  user: UserRecord,
  providerOf: NameIssuer,
  { provider, subject }: IdentityRef,
): UserIdentity {
  const atProvider = user.identities.filter((each) => providerOf(each.issuer) === provider)
  const named = atProvider.filter((each) => subject === undefined || each.subject === subject)
  const [identity, another] = named
  if (identity === undefined) {
    throw new ApiError('identityNotFound', 'This user has no identity at this provider.')
  }
  if (another !== undefined) {
    const problem = `The user has ${named.length} identities at this provider. Send the subject of one.`
    throw invalidRequest(problem, [{ path: 'subject', problem }])
  }
  return identity
}

const onlyIdentity = (): ApiError =>
  new ApiError('onlyIdentity', 'The user has no other identity. Nothing was changed.')

export const userBlocked = (): ApiError =>
  new ApiError(
    'userBlocked',
    'This user is blocked. Unblock them first: POST /api/social-login/users/:id/unblock.',
  )

interface Merge {
  /** The user that stays. */
  readonly userId: UserId | null
  /** The user that is deleted. */
  readonly from: UserId
}

/** Moves the identities of one user to another and deletes it, in one transaction. The owner knows that it is one person. */
export async function mergeUsers(
  ctx: Context,
  tenant: Tenant,
  { userId, from }: Merge,
  author: Author,
): Promise<void> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'use', now)

  const moveIdentities = async (stores: TransactionStores, resource: Resource): Promise<void> => {
    // Before they are read: of two merges, or a merge and a block, the later one sees what the earlier one did.
    if (userId !== null) {
      await stores.identities.lock(resource, [userId, from])
    }
    const into = await requireUserRecord(stores, resource, userId)
    const deleted = await requireUserRecord(stores, resource, from)
    const removalRequestedAt = await stores.removals.requestedAt(resource, from)
    const problem = mergeProblem(into, deleted, removalRequestedAt)
    if (problem !== null) {
      throw new ApiError('mergeRefused', problem)
    }

    await stores.identities.move(resource, from, into.id)
    await recordAction(stores, {
      tenantId: tenant.id,
      author,
      action: 'user.merged',
      target: `user:${into.id}`,
      at: now,
    })
    await stores.userMessages.record(tenant.id, 'user.updated', [{ id: into.id }], now)
  }
  await eraseUser(ctx, tenant, { userId: from, author, reason: 'owner', before: moveIdentities })
}

/** A merge must neither unblock an identity nor lose the request of a person. */
function mergeProblem(
  into: UserRecord,
  from: UserRecord,
  removalRequestedAt: number | null,
): string | null {
  if (into.id === from.id) {
    return 'A user cannot be merged with itself.'
  }
  if ((into.blockedAt === null) !== (from.blockedAt === null)) {
    return 'One of the users is blocked. Block or unblock both.'
  }
  if (removalRequestedAt !== null) {
    return 'The other user asked to be removed. Delete that user instead.'
  }
  if (into.identities.length + from.identities.length > USER_IDENTITIES_MAX) {
    return `A user can have at most ${USER_IDENTITIES_MAX} identities.`
  }
  return null
}
