import { ME_SESSION_MS, type MeSession } from '../../domain/accounts/person.ts'
import { formToken, requireFormToken } from '../../operations/accounts/account-session.ts'
import type { Context } from '../../operations/context.ts'
import { findMeSession } from '../../operations/me/session.ts'
import type { Call } from '../dependencies.ts'
import { type CookieKind, deleteSecretCookie, readSecretCookie, setSecretCookie } from './cookies.ts'

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
  if (secret === null || session === null) return null
  return {
    session,
    secret,
    csrf: formToken(ctx, secret, FORMS),
    requireCsrf: (token) => requireFormToken(ctx, token, secret, FORMS),
  }
}

export const meCookie = (c: Call, baseUrl: string): string | null => readSecretCookie(c, baseUrl, ME)

export const setMeCookie = (c: Call, baseUrl: string, secret: string): void => setSecretCookie(c, baseUrl, ME, secret)

export const deleteMeCookie = (c: Call, baseUrl: string): void => deleteSecretCookie(c, baseUrl, ME)
