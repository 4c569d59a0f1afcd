import { ACCOUNT_SESSION_MS, type AccountSession } from '../../domain/accounts/account.ts'
import {
  type DecisionSecrets,
  decisionSecrets,
  findAccountSession,
  formToken,
  requireFormToken,
} from '../../operations/accounts/account-session.ts'
import type { Context } from '../../operations/context.ts'
import type { Call } from '../dependencies.ts'
import { type CookieKind, deleteSecretCookie, readSecretCookie, setSecretCookie } from './cookies.ts'

const ACCOUNT: CookieKind = { name: 'gatehouse_account', seconds: ACCOUNT_SESSION_MS / 1_000 }

/** The signed-in owner of this browser, and the CSRF tokens of their forms. */
export interface SignedInOwner {
  readonly session: AccountSession
  /** The CSRF token of the form named `form`. */
  csrf(form: string): string
  requireCsrf(token: string, form: string): void
  /** The secrets of this session's decisions. */
  readonly secrets: DecisionSecrets
}

/** Session cookie → account; null if the browser has no account session. */
export async function signedInOwner(ctx: Context, c: Call): Promise<SignedInOwner | null> {
  const secret = accountCookie(c, ctx.baseUrl)
  const session = await findAccountSession(ctx, secret)
  if (secret === null || session === null) return null
  // Each request renews the cookie's lifetime, as it renews the session's.
  setSecretCookie(c, ctx.baseUrl, ACCOUNT, secret)
  return {
    session,
    csrf: (form) => formToken(ctx, secret, form),
    requireCsrf: (token, form) => requireFormToken(ctx, token, secret, form),
    secrets: decisionSecrets(ctx, secret),
  }
}

export const accountCookie = (c: Call, baseUrl: string): string | null => readSecretCookie(c, baseUrl, ACCOUNT)

export const setAccountCookie = (c: Call, baseUrl: string, secret: string): void =>
  setSecretCookie(c, baseUrl, ACCOUNT, secret)

export const deleteAccountCookie = (c: Call, baseUrl: string): void => deleteSecretCookie(c, baseUrl, ACCOUNT)
