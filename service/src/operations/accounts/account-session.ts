import {
  ACCOUNT_SESSION_ABSOLUTE_MS,
  ACCOUNT_SESSION_MS,
  ACCOUNT_SESSION_SLIDE_MS,
  type AccountSession,
} from '../../domain/accounts/account.ts'
import { ApiError } from '../../domain/api-error.ts'
import { constantTimeEqual } from '../../domain/tokens/secret.ts'
import type { Context } from '../context.ts'

/** The session a browser's cookie opens, if it still does. Use keeps it alive, for a year. */
export async function findAccountSession(ctx: Context, secret: string | null): Promise<AccountSession | null> {
  if (secret === null) return null
  const now = ctx.now()
  const session = await ctx.stores.accountSessions.find(ctx.keyring.hashes('account-session', secret), now)
  if (session !== null && now - session.lastUsedAt >= ACCOUNT_SESSION_SLIDE_MS) {
    const end = session.createdAt + ACCOUNT_SESSION_ABSOLUTE_MS
    await ctx.stores.accountSessions.slide(session.id, now, Math.min(now + ACCOUNT_SESSION_MS, end))
  }
  return session
}

/**
 * The token a form of ours carries: made from the session's secret and what the form is about, so one that was shown
 * to another session, or for another claim, does not fit.
 */
export const formToken = (ctx: Pick<Context, 'keyring'>, secret: string, about: string, kid?: number): string =>
  ctx.keyring.mac('form', `${secret}\0${about}`, kid)

export function requireFormToken(ctx: Pick<Context, 'keyring'>, token: string, secret: string, about: string): void {
  if (ctx.keyring.kids.some((kid) => constantTimeEqual(formToken(ctx, secret, about, kid), token))) return
  throw new ApiError(
    'decisionNotOurs',
    'This did not come from our page. Go back, reload it, and press the button there.',
  )
}
