import { ACCOUNT_SESSION_MS, type AccountSession } from '../../domain/accounts/account.ts'
import { findAccountSession, formToken, requireFormToken } from '../../operations/accounts/account-session.ts'
import type { Context } from '../../operations/context.ts'
import type { Call } from '../dependencies.ts'
import { type CookieKind, deleteSecretCookie, readSecretCookie, setSecretCookie } from './cookies.ts'

const ACCOUNT: CookieKind = { name: 'gatehouse_account', seconds: ACCOUNT_SESSION_MS / 1_000 }

/** An owner in their browser, and what their forms must carry. */
export interface SignedInOwner {
  readonly session: AccountSession
  /** For a form about this. */
  csrf(about: string): string
  requireCsrf(token: string, about: string): void
}

/** Cookie → account; null when nobody is signed in here. */
export async function signedInOwner(ctx: Context, c: Call): Promise<SignedInOwner | null> {
  const secret = accountCookie(c, ctx.baseUrl)
  const session = await findAccountSession(ctx, secret)
  if (secret === null || session === null) return null
  // Each visit renews the cookie, as it renews the session.
  setSecretCookie(c, ctx.baseUrl, ACCOUNT, secret)
  return {
    session,
    csrf: (about) => formToken(ctx, secret, about),
    requireCsrf: (token, about) => requireFormToken(ctx, token, secret, about),
  }
}

export const accountCookie = (c: Call, baseUrl: string): string | null => readSecretCookie(c, baseUrl, ACCOUNT)

export const setAccountCookie = (c: Call, baseUrl: string, secret: string): void =>
  setSecretCookie(c, baseUrl, ACCOUNT, secret)

export const deleteAccountCookie = (c: Call, baseUrl: string): void => deleteSecretCookie(c, baseUrl, ACCOUNT)
