import type { AuditAction, Claims } from '@gatehouse-auth/contract'
import { Unavailable } from '../../domain/api-error.ts'
import { type LogoutReason, loggedOut } from '../../domain/events/auth-event.ts'
import type { UserId } from '../../domain/ids.ts'
import type { Resource, TransactionStores } from '../../domain/stores/stores.ts'
import type { Author } from '../../domain/tenants/audit.ts'
import { requireTenantAccess, type Tenant } from '../../domain/tenants/tenant.ts'
import type { User, UserRecord } from '../../domain/users/user.ts'
import type { Context } from '../context.ts'
import { recordConsequences } from '../limits/count-auth-event.ts'
import { recordAction } from '../tenants/audit.ts'
import { lockResource } from '../tenants/require-tenant.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import { requireUser, requireUserRecord, userNotFound } from './users.ts'

/** Ends the user's sessions and rejects new sign-ins, in one transaction. Blocking a blocked user changes nothing. */
export async function blockUser(
  ctx: Context,
  tenant: Tenant,
  userId: UserId | null,
  author: Author,
): Promise<UserRecord> {
  const now = ctx.now()
  const user = await changeAndEndSessions(
    ctx,
    tenant,
    userId,
    { author, action: 'user.blocked', reason: 'owner', now },
    (stores, resource, { id, blockedAt }) =>
      stores.users.setBlocked(resource, id, blockedAt ?? now),
  )
  return { ...user, blockedAt: user.blockedAt ?? now }
}

interface ClaimsChange {
  readonly claims: Claims
  /** Whether the user's sessions end with the change. */
  readonly endSessions: boolean
}

/** Replaces the claims of a user. They are in the next ID token of the user. */
export async function replaceUserClaims(
  ctx: Context,
  tenant: Tenant,
  userId: UserId | null,
  { claims, endSessions }: ClaimsChange,
  author: Author,
): Promise<void> {
  const now = ctx.now()
  const change = async (
    { users, userMessages }: TransactionStores,
    resource: Resource,
    { id }: User,
  ): Promise<boolean> => {
    await userMessages.record(tenant.id, 'user.updated', [{ id }], now)
    return users.setClaims(resource, id, claims)
  }

  if (endSessions) {
    const recorded = { author, action: 'user.claims_changed', reason: 'owner', now } as const
    await changeAndEndSessions(ctx, tenant, userId, recorded, change)
    return
  }

  requireTenantAccess(tenant, 'use', now)
  await ctx.stores.transaction(async (stores) => {
    const resource = await lockResource(stores, tenant)
    const user = await requireUser(stores, resource, userId)
    await recordAction(stores, {
      tenantId: tenant.id,
      author,
      action: 'user.claims_changed',
      target: `user:${user.id}`,
      at: now,
    })
    if (!(await change(stores, resource, user))) {
      throw userNotFound()
    }
  })
}

interface Recorded {
  readonly author: Author
  readonly action: AuditAction
  /** A person can change their data in every state of the tenant. */
  readonly reason: LogoutReason
  readonly now: number
}

/** Changes a user, and ends all their sessions in the same transaction. `change` returns false if there is no such user. */
export async function changeAndEndSessions(
  ctx: Context,
  tenant: Tenant,
  userId: UserId | null,
  { author, action, reason, now }: Recorded,
  change: (stores: TransactionStores, resource: Resource, user: UserRecord) => Promise<boolean>,
): Promise<UserRecord> {
  if (reason === 'owner') {
    requireTenantAccess(tenant, 'use', now)
  }

  const changeUser = async (stores: TransactionStores): Promise<UserRecord> => {
    const resource = await lockResource(stores, tenant)
    const user = await requireUserRecord(stores, resource, userId)
    const ending = { tenant, resource, user, reason, now }
    await endAccess(ctx, stores, ending, user, async () => {
      if (!(await change(stores, resource, user))) {
        throw userNotFound()
      }
    })
    await recordAction(stores, {
      tenantId: tenant.id,
      author,
      action,
      target: `user:${user.id}`,
      at: now,
    })
    return user
  }

  const endSome = async (stores: TransactionStores): Promise<boolean> => {
    const resource = await lockResource(stores, tenant)
    const user = await requireUser(stores, resource, userId)
    const ended = await endSomeSessions(ctx, stores, { tenant, resource, user, reason, now })
    return isFullBatch(ended)
  }

  return inOneTransaction(ctx, changeUser, endSome)
}

/** The user may sign in again. Sessions that the block ended stay ended. */
export async function unblockUser(
  ctx: Context,
  tenant: Tenant,
  userId: UserId | null,
  author: Author,
): Promise<UserRecord> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'use', now)
  return ctx.stores.transaction(async (stores) => {
    const resource = await lockResource(stores, tenant)
    const user = await requireUserRecord(stores, resource, userId)
    if (!(await stores.users.setBlocked(resource, user.id, null))) {
      throw userNotFound()
    }
    await recordAction(stores, {
      tenantId: tenant.id,
      author,
      action: 'user.unblocked',
      target: `user:${user.id}`,
      at: now,
    })
    return { ...user, blockedAt: null }
  })
}

interface UserInTransaction {
  readonly tenant: Tenant
  readonly resource: Resource
  readonly user: User
  /** Who ends the sessions, as each `logout` says. */
  readonly reason: LogoutReason
  readonly now: number
}

/** Few enough that one transaction delays no other query noticeably; see purge-resource.ts. */
const SESSIONS_PER_TRANSACTION = 250

/** Ends up to 250 sessions of a user, and records a `logout` for each. One-time codes must not open another. Returns how many. */
export async function endSomeSessions(
  ctx: Pick<Context, 'unlimited'>,
  stores: TransactionStores,
  { tenant, resource, user, reason, now }: UserInTransaction,
  eventUser: User | null = user,
): Promise<number> {
  await stores.loginCodes.removeUnused(resource, user.id)
  const ended = await stores.sessions.endOfUser(resource, user.id, now, SESSIONS_PER_TRANSACTION)
  const events = Array.from({ length: ended }, () => loggedOut(eventUser, reason, now))
  await recordConsequences(ctx, stores, { tenant, resource, kind: 'logout', now }, events)
  return ended
}

export const isFullBatch = (sessions: number): boolean => sessions === SESSIONS_PER_TRANSACTION

/**
 * Ends every session of a user and makes a change to the user's row, so that no session is left or can be opened once both
 * are committed. Throws StartOver if it cannot do that in this transaction.
 *
 * Rows are locked in the order of a refresh: sessions, the tenant's counter of events; then the user. A sign-in may have opened
 * a session before this transaction got the counter; a refresh of it may wait for the counter. So such a session is not
 * locked here, where each would wait for the other, but in the next try.
 */
export async function endAccess(
  ctx: Pick<Context, 'unlimited'>,
  stores: TransactionStores,
  known: UserInTransaction,
  eventUser: User | null,
  change: () => Promise<void>,
): Promise<void> {
  await endSomeSessions(ctx, stores, known, eventUser)
  await change()

  // A sign-in may have issued a code meanwhile.
  const { resource, user, now } = known
  await stores.loginCodes.removeUnused(resource, user.id)

  // It may also have opened a session, or there were more than a transaction may end.
  const [left] = await stores.sessions.ofUser(resource, user.id, now, { after: 0, limit: 1 })
  if (left !== undefined) {
    throw new StartOver()
  }
}

/** Rolls the transaction back: there are more rows than it may change, or a session that it must not lock. */
export class StartOver extends Error {}

/** Each ends the sessions that were opened during the previous one. */
const MAX_TRIES = 20

/**
 * Runs `work` in one transaction. If it starts over, nothing of it is committed: `shrink` changes most of the rows in small
 * transactions, and `work` runs again. A kill in between leaves a user with fewer rows, and a retry continues.
 */
export async function inOneTransaction<T>(
  ctx: Pick<Context, 'stores'>,
  work: (stores: TransactionStores) => Promise<T>,
  shrink: (stores: TransactionStores) => Promise<boolean>,
): Promise<T> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    try {
      return await ctx.stores.transaction(work)
    } catch (error) {
      if (!(error instanceof StartOver)) {
        throw error
      }
    }
    while (await ctx.stores.transaction(shrink)) {
      await yieldToEventLoop()
    }
  }
  throw new Unavailable('the user keeps signing in')
}
