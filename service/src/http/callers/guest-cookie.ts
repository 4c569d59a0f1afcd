import type { Call } from '../dependencies.ts'
import { type CookieKind, readSecretCookie, setSecretCookie } from './cookies.ts'

/** Identifies a guest, who has no account: it gives access to the credentials of tenants that the guest's agent created. */
const GUEST: CookieKind = { name: 'gatehouse_guest', seconds: 30 * 24 * 3_600 }

export const guestCookie = (c: Call, baseUrl: string): string | null => readSecretCookie(c, baseUrl, GUEST)

export const setGuestCookie = (c: Call, baseUrl: string, secret: string): void =>
  setSecretCookie(c, baseUrl, GUEST, secret)
