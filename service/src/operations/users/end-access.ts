import { loggedOut } from '../../domain/events/auth-event.ts'
import type { User } from '../../domain/sessions/user.ts'
import type { Resource, TransactionStores } from '../../domain/stores/stores.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { Unavailable } from '../../domain/unavailable.ts'
import type { Context } from '../context.ts'
import { recordConsequences } from '../limits/count-auth-event.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'

/** Few enough that one transaction delays no other query noticeably; see purge-resource.ts. */
const SESSIONS_PER_TRANSACTION = 250
const MAX_RETRIES = 3

export interface UserInTransaction {
  readonly tenant: Tenant
  readonly resource: Resource
  readonly user: User
  readonly now: number
}

/** Ends up to 250 sessions of a user, and records a `logout` for each. Returns how many. */
export async function endSomeSessions(
  ctx: Pick<Context, 'unlimited'>,
  stores: TransactionStores,
  { tenant, resource, user, now }: UserInTransaction,
  eventUser: User | null = user,
): Promise<number> {
  const ended = await stores.sessions.endOfUser(resource, user.id, now, SESSIONS_PER_TRANSACTION)
  const events = Array.from({ length: ended }, () => loggedOut(eventUser, 'owner', now))
  await recordConsequences(ctx, stores, { tenant, resource, kind: 'logout', now }, events)
  return ended
}

/**
 * Ends every session of a user and makes a change to the user's row, so that no session is left or can be opened once both
 * are committed. Rows are locked in the order of a refresh: sessions, the tenant's counter of events, the user. A sign-in
 * may have opened a session while this waited for the user's row, so it looks again.
 *
 * Throws TooManyRows if there are more sessions than a transaction may end.
 */
export async function endAccess(
  ctx: Pick<Context, 'unlimited'>,
  stores: TransactionStores,
  known: UserInTransaction,
  eventUser: User | null,
  change: () => Promise<void>,
): Promise<void> {
  const ended = await endSomeSessions(ctx, stores, known, eventUser)
  if (ended === SESSIONS_PER_TRANSACTION) throw new TooManyRows()
  await change()
  await endSomeSessions(ctx, stores, known, eventUser)
}

/** More rows than one transaction may change. */
export class TooManyRows extends Error {}

/**
 * Runs `work` in one transaction. If it has too many rows, nothing of it is committed: `shrink` changes most of them in
 * small transactions first, and `work` runs again. A kill in between leaves a user with fewer rows, and a retry continues.
 */
export async function inOneTransaction<T>(
  ctx: Pick<Context, 'stores'>,
  work: (stores: TransactionStores) => Promise<T>,
  shrink: (stores: TransactionStores) => Promise<boolean>,
): Promise<T> {
  for (let retry = 0; retry < MAX_RETRIES; retry++) {
    try {
      return await ctx.stores.transaction(work)
    } catch (error) {
      if (!(error instanceof TooManyRows)) throw error
    }
    while (await ctx.stores.transaction(shrink)) await yieldToEventLoop()
  }
  throw new Unavailable('the user keeps signing in')
}

export const isFullBatch = (sessions: number): boolean => sessions === SESSIONS_PER_TRANSACTION
