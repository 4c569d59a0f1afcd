import { ACCOUNT_SESSION_MS, type AccountSession } from '../../domain/accounts/account.ts'
import { ME_SESSION_MS, type MeSession } from '../../domain/accounts/person.ts'
import {
  type DecisionSecrets,
  decisionSecrets,
  findAccountSession,
  formToken,
  openForDisplay,
  requireFormToken,
  SHOWN_MS,
  sealForDisplay,
} from '../../operations/accounts/account-session.ts'
import { findMeSession } from '../../operations/accounts/me-session.ts'
import type { Context } from '../../operations/context.ts'
import type { Call } from '../dependencies.ts'
import {
  type CookieKind,
  deleteSecretCookie,
  readSealedCookie,
  readSecretCookie,
  setSealedCookie,
  setSecretCookie,
} from './cookies.ts'

const ACCOUNT: CookieKind = {
  name: 'gatehouse_account',
  seconds: ACCOUNT_SESSION_MS / 1_000,
}

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
  if (secret === null || session === null) {
    return null
  }
  // Each request renews the cookie's lifetime, as it renews the session's.
  setSecretCookie(c, ctx.baseUrl, ACCOUNT, secret)
  return {
    session,
    csrf: (form) => formToken(ctx, secret, form),
    requireCsrf: (token, form) => requireFormToken(ctx, token, secret, form),
    secrets: decisionSecrets(ctx, secret),
  }
}

export const accountCookie = (c: Call, baseUrl: string): string | null =>
  readSecretCookie(c, baseUrl, ACCOUNT)

export const setAccountCookie = (c: Call, baseUrl: string, secret: string): void =>
  setSecretCookie(c, baseUrl, ACCOUNT, secret)

export const deleteAccountCookie = (c: Call, baseUrl: string): void =>
  deleteSecretCookie(c, baseUrl, ACCOUNT)

const ME: CookieKind = { name: 'gatehouse_me', seconds: ME_SESSION_MS / 1_000 }

/** The person of this browser, on `/me`. */
export interface SignedInPerson {
  readonly session: MeSession
  readonly secret: string
  /** The CSRF token of the forms on the page. */
  readonly csrf: string
  requireCsrf(token: string): void
}

/** The purpose that the CSRF tokens are bound to: no other page accepts them. */
const FORMS = 'me'

/** Session cookie → person; null if the browser has no session on `/me`. An account session is none. */
export async function signedInPerson(ctx: Context, c: Call): Promise<SignedInPerson | null> {
  const secret = meCookie(c, ctx.baseUrl)
  const session = await findMeSession(ctx, secret)
  if (secret === null || session === null) {
    return null
  }
  return {
    session,
    secret,
    csrf: formToken(ctx, secret, FORMS),
    requireCsrf: (token) => requireFormToken(ctx, token, secret, FORMS),
  }
}

export const meCookie = (c: Call, baseUrl: string): string | null =>
  readSecretCookie(c, baseUrl, ME)

export const setMeCookie = (c: Call, baseUrl: string, secret: string): void =>
  setSecretCookie(c, baseUrl, ME, secret)

export const deleteMeCookie = (c: Call, baseUrl: string): void => deleteSecretCookie(c, baseUrl, ME)

const SHOWN: CookieKind = {
  name: 'gatehouse_shown',
  seconds: SHOWN_MS / 1_000,
}

/** A cookie of its own: a rejected form must not replace a secret that is shown once. */
export const REJECTED_FORM: CookieKind = {
  name: 'gatehouse_form',
  seconds: SHOWN_MS / 1_000,
}

/** Whom something is kept for: an owner, or this browser on a page without an account. */
type Viewer = Pick<SignedInOwner, 'session'> | { readonly session: null }

/**
 * Keeps a new secret, or a rejected form, for the page that a redirect leads to: sealed, in this browser, for a minute. No URL
 * and no row has it. Returns false if it is too long for a cookie.
 */
export const keepForDisplay = (
  ctx: Context,
  c: Call,
  { session }: Viewer,
  about: string,
  secret: string,
  kind = SHOWN,
): boolean => setSealedCookie(c, ctx.baseUrl, kind, sealForDisplay(ctx, session, about, secret))

/** null: there is none, or it is another's. */
export function keptForDisplay(
  ctx: Context,
  c: Call,
  { session }: Viewer,
  about: string,
  kind = SHOWN,
): string | null {
  const sealed = readSealedCookie(c, ctx.baseUrl, kind)
  return sealed === null ? null : openForDisplay(ctx, session, about, sealed)
}

/** The rejected form of the page with this path, once: a reload shows the page without it. */
export function takeRejectedForm(
  ctx: Context,
  c: Call,
  viewer: Viewer,
  path: string,
): string | null {
  const kept = keptForDisplay(ctx, c, viewer, path, REJECTED_FORM)
  if (kept !== null) {
    deleteSecretCookie(c, ctx.baseUrl, REJECTED_FORM)
  }
  return kept
}
