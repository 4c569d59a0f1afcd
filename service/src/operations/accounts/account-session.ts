import {
  ACCOUNT_SESSION_ABSOLUTE_MS,
  ACCOUNT_SESSION_MS,
  ACCOUNT_SESSION_SLIDE_MS,
  type AccountSession,
} from '../../domain/accounts/account.ts'
import { ApiError } from '../../domain/api-error.ts'
import { constantTimeEqual } from '../../domain/tokens/secret.ts'
import type { Context } from '../context.ts'

/** The session of a browser's cookie, if it has not expired. Use extends it, up to a year. */
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
 * The CSRF token of a form, derived from the session's secret and the subject of the form: a token of another session, or
 * of another claim, is not valid.
 */
export const formToken = (ctx: Pick<Context, 'keyring'>, secret: string, about: string, kid?: number): string =>
  ctx.keyring.mac('form', `${secret}\0${about}`, kid)

/** The secrets of a decision, one for each master key, the current one first. */
export type DecisionSecrets = (about: string) => readonly string[]

/**
 * Derived from the session's secret: only the same session gets the same secrets for the same decision again, and with them
 * its result (decision 43).
 */
export const decisionSecrets =
  ({ keyring }: Pick<Context, 'keyring'>, secret: string): DecisionSecrets =>
  (about) =>
    keyring.kids.map((kid) => keyring.mac('decision', `${secret}\0${about}`, kid))

export function requireFormToken(ctx: Pick<Context, 'keyring'>, token: string, secret: string, about: string): void {
  if (ctx.keyring.kids.some((kid) => constantTimeEqual(formToken(ctx, secret, about, kid), token))) return
  throw new ApiError(
    'decisionNotOurs',
    'This did not come from our page. Go back, reload it, and press the button there.',
  )
}
