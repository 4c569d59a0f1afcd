import { randomBase64Url, toBase64Url } from '../base64url.ts'
import type { RequestContext, SessionCookies } from '../session/session-cookies.ts'
import { clearLoginCookie, storeLoginCookie } from './login-cookies.ts'

// The verifier of a login is in a cookie of the browser that started it, so a code that an attacker sends to a victim's
// browser cannot be exchanged there (login CSRF; RFC 9700, section 4.7), and a code in a log or history is useless.

const HINT_CHARACTERS = 8

export interface LoginVerifier {
  readonly verifier: string
  readonly challenge: string
}

export async function newVerifier(): Promise<LoginVerifier> {
  const verifier = randomBase64Url(32)
  return { verifier, challenge: await sha256(verifier) }
}

/** The same in every process of the app: a callback that is opened twice gets the same pair. */
export const exchangeKey = (verifier: string): Promise<string> => sha256(`exchange ${verifier}`)

/** A code carries the start of the challenge that it belongs to: it names the cookie. */
const hintOf = (challenge: string): string => challenge.slice(0, HINT_CHARACTERS)

/** `Set-Cookie` lines that store the verifier, and remove the oldest logins beyond the maximum. */
export const storeVerifier = (
  cookies: SessionCookies,
  request: RequestContext,
  { verifier, challenge }: LoginVerifier,
): string[] => storeLoginCookie(cookies, request, hintOf(challenge), verifier)

/** The verifier of this code, and the lines that remove its cookie; null in a browser that did not start the login. */
export function consumeVerifier(
  cookies: SessionCookies,
  request: RequestContext,
  { hint }: { readonly hint: string },
): { readonly verifier: string; readonly setCookies: string[] } | null {
  const cleared = clearLoginCookie(cookies, request, hint)
  return cleared && { verifier: cleared.value, setCookies: cleared.setCookies }
}

async function sha256(text: string): Promise<string> {
  return toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))))
}
