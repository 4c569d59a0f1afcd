import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { ATTEMPT_LIFETIME_MS } from '../../domain/login/attempt.ts'
import { CONSENT_KEPT_MS } from '../../domain/login/remembered-consent.ts'
import { is256Bits } from '../../domain/tokens/secret.ts'
import type { Call } from '../dependencies.ts'

export interface CookieKind {
  readonly name: string
  readonly seconds: number
}

const isHttps = (baseUrl: string): boolean => baseUrl.startsWith('https:')
// Prevents cookie injection from subdomains and from plain http (RFC 6265bis, section 4.1.3.2). __Host- requires https.
const nameOf = ({ name }: CookieKind, baseUrl: string): string =>
  isHttps(baseUrl) ? `__Host-${name}` : name

/** Any other value than a secret is ignored. */
export function readSecretCookie(c: Call, baseUrl: string, kind: CookieKind): string | null {
  const value = getCookie(c, nameOf(kind, baseUrl))
  return value !== undefined && is256Bits(value) ? value : null
}

/** SameSite=Lax, because the provider's redirect back is a cross-site navigation that must include the cookie. */
export function setSecretCookie(c: Call, baseUrl: string, kind: CookieKind, secret: string): void {
  setCookie(c, nameOf(kind, baseUrl), secret, {
    httpOnly: true,
    sameSite: 'Lax',
    path: '/',
    maxAge: kind.seconds,
    secure: isHttps(baseUrl),
  })
}

export function deleteSecretCookie(c: Call, baseUrl: string, kind: CookieKind): void {
  deleteCookie(c, nameOf(kind, baseUrl), { path: '/', secure: isHttps(baseUrl) })
}

/** More than any sealed secret has, and less than browsers store. */
const SEALED_MAX_CHARACTERS = 3_800

/**
 * A sealed value, which is checked when it is opened. Strict: only a page of this site leads to what reads it. Returns false
 * for one that is too long for a cookie.
 */
export function setSealedCookie(
  c: Call,
  baseUrl: string,
  kind: CookieKind,
  sealed: Uint8Array,
): boolean {
  const value = Buffer.from(sealed).toString('base64url')
  if (value.length > SEALED_MAX_CHARACTERS) {
    return false
  }
  setCookie(c, nameOf(kind, baseUrl), value, {
    httpOnly: true,
    sameSite: 'Strict',
    path: '/',
    maxAge: kind.seconds,
    secure: isHttps(baseUrl),
  })
  return true
}

export function readSealedCookie(c: Call, baseUrl: string, kind: CookieKind): Uint8Array | null {
  const value = getCookie(c, nameOf(kind, baseUrl))
  if (
    value === undefined ||
    value.length > SEALED_MAX_CHARACTERS ||
    !/^[A-Za-z0-9_-]+$/.test(value)
  ) {
    return null
  }
  return Buffer.from(value, 'base64url')
}

/** Identifies a guest, who has no account: it gives access to the credentials of tenants that the guest's agent created. */
const GUEST: CookieKind = { name: 'gatehouse_guest', seconds: 30 * 24 * 3_600 }

export const guestCookie = (c: Call, baseUrl: string): string | null =>
  readSecretCookie(c, baseUrl, GUEST)

export const setGuestCookie = (c: Call, baseUrl: string, secret: string): void =>
  setSecretCookie(c, baseUrl, GUEST, secret)

/**
 * Binds a login to one browser from its start to the consent decision (RFC 9700, section 4.7: login CSRF). Lasts as long as a
 * consent can be remembered, which is by browser, and the attempt that led to it.
 */
const BROWSER: CookieKind = {
  name: 'gatehouse_browser',
  seconds: (CONSENT_KEPT_MS + ATTEMPT_LIFETIME_MS) / 1_000,
}

export const loginBrowserCookie = (c: Call, baseUrl: string): string | null =>
  readSecretCookie(c, baseUrl, BROWSER)

export const setLoginBrowserCookie = (c: Call, baseUrl: string, browser: string): void =>
  setSecretCookie(c, baseUrl, BROWSER, browser)
