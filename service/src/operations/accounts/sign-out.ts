import type { Account, AccountSession } from '../../domain/accounts/account.ts'
import type { AccountSessionId } from '../../domain/ids.ts'
import type { Context } from '../context.ts'
import { findAccountSession } from './account-session.ts'

/** The browsers in which this account is signed in, most recently used first. */
export const listAccountSessions = (ctx: Context, account: Account): Promise<AccountSession[]> =>
  ctx.stores.accountSessions.listByAccount(account.id, ctx.now())

/** In this browser. */
export async function signOut(ctx: Context, secret: string | null): Promise<void> {
  const session = await findAccountSession(ctx, secret)
  if (session !== null) await endAccountSession(ctx, session.account, session.id)
}

/** In one browser. The session of another account is not ended. */
export const endAccountSession = (ctx: Context, account: Account, sessionId: AccountSessionId): Promise<void> =>
  ctx.stores.accountSessions.end(account.id, sessionId)

/** In every browser, this one included. */
export const signOutEverywhere = (ctx: Context, account: Account): Promise<void> =>
  ctx.stores.accountSessions.endAll(account.id)
