import type { AuthEventKind } from '@gatehouse/contract'

/** One auth event as its owner may see it: no addresses, no tokens, no raw metadata. */
export interface Activity {
  readonly event: AuthEventKind
  readonly userId: number | null
  readonly email: string | null
  readonly createdAt: number
  /** Of a failed sign-in. */
  readonly errorCode: string | null
}

export const EVENT_WORDS: Readonly<Record<AuthEventKind, string>> = {
  login_started: 'Sign-in started',
  consent_denied: 'Sign-in declined',
  authorize: 'Signed in',
  login_failed: 'Sign-in failed',
  token_refreshed: 'Session refreshed',
  logout: 'Signed out',
}
