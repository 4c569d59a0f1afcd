import {
  ACCOUNT_SESSION_ABSOLUTE_MS,
  ACCOUNT_SESSION_MS,
  ACCOUNT_SESSION_SLIDE_MS,
  type Account,
  type AccountSession,
} from '../../domain/accounts/account.ts'
import { ApiError } from '../../domain/api-error.ts'
import type { AccountSessionId } from '../../domain/ids.ts'
import type { Duration, Instant } from '../../domain/time.ts'
import { constantTimeEqual, seal, unseal } from '../../domain/tokens/secret.ts'
import type { Context } from '../context.ts'

/** The session of a browser's cookie, if it has not expired. Use extends it, up to a year. */
export async function findAccountSession(
  ctx: Context,
  secret: string | null,
): Promise<AccountSession | null> {
  if (secret === null) {
    return null
  }

  const now = ctx.now()
  const hashes = ctx.keyring.hashes('account-session', secret)
  const session = await ctx.stores.accountSessions.find(hashes, now)
  if (session === null) {
    return null
  }

  if (now - session.lastUsedAt >= ACCOUNT_SESSION_SLIDE_MS) {
    const end = session.createdAt + ACCOUNT_SESSION_ABSOLUTE_MS
    await ctx.stores.accountSessions.slide(session.id, now, Math.min(now + ACCOUNT_SESSION_MS, end))
  }
  return session
}

/**
 * The CSRF token of a form, derived from the session's secret and the subject of the form: a token of another session, or
 * of another claim, is not valid.
 */
export const formToken = (
  ctx: Pick<Context, 'keyring'>,
  secret: string,
  about: string,
  kid?: number,
): string => ctx.keyring.mac('form', `${secret}\0${about}`, kid)

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

export function requireFormToken(
  ctx: Pick<Context, 'keyring'>,
  token: string,
  secret: string,
  about: string,
): void {
  const isOurs = ctx.keyring.kids.some((kid) =>
    constantTimeEqual(formToken(ctx, secret, about, kid), token),
  )
  if (!isOurs) {
    throw new ApiError(
      'decisionNotOurs',
      'This did not come from our page. Go back, reload it, and press the button there.',
    )
  }
}

/** The browsers in which this account is signed in, most recently used first. */
export const listAccountSessions = (ctx: Context, account: Account): Promise<AccountSession[]> =>
  ctx.stores.accountSessions.listByAccount(account.id, ctx.now())

/** Ends the session of this browser. */
export async function signOut(ctx: Context, secret: string | null): Promise<void> {
  const session = await findAccountSession(ctx, secret)
  if (session !== null) {
    await endAccountSession(ctx, session.account, session.id)
  }
}

/** Ends the session of one browser, unless it is of another account. */
export const endAccountSession = (
  ctx: Context,
  account: Account,
  sessionId: AccountSessionId,
): Promise<void> => ctx.stores.accountSessions.end(account.id, sessionId)

/** Ends the sessions of every browser, this one included. */
export const signOutEverywhere = (ctx: Context, account: Account): Promise<void> =>
  ctx.stores.accountSessions.endAll(account.id)

/** As long as a repeated decision gets its result again (decision 43). */
export const SHOWN_MS: Duration = 60_000

/** Binds a secret to its page, so that no other page shows it. `session` null: the page needs no account. */
const context = (session: AccountSession | null, about: string): string =>
  `shown\0${session?.id ?? ''}\0${about}`

/**
 * Seals a new secret for the page that shows it after a redirect: only this session can open it there, for a minute. A
 * reload of that page repeats no POST.
 */
export function sealForDisplay(
  ctx: Pick<Context, 'keyring' | 'random' | 'now'>,
  session: AccountSession | null,
  about: string,
  secret: string,
): Uint8Array {
  const content: Sealed = [ctx.now() + SHOWN_MS, secret]
  return seal(ctx.keyring, context(session, about), JSON.stringify(content), ctx.random)
}

type Sealed = [until: Instant, secret: string]

/** null: sealed for another session or page, or more than a minute ago. */
export function openForDisplay(
  ctx: Pick<Context, 'keyring' | 'now'>,
  session: AccountSession | null,
  about: string,
  sealed: Uint8Array,
): string | null {
  const text = unseal(ctx.keyring, context(session, about), sealed)
  if (text === null) {
    return null
  }
  const [until, secret]: Sealed = JSON.parse(text)
  return ctx.now() < until ? secret : null
}
