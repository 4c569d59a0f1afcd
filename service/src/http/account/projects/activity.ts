import type { AuthEventKind } from '@gatehouse/contract'

/** An auth event as the owner may see it: no URLs, no tokens, no raw metadata. */
export interface Activity {
  readonly event: AuthEventKind
  readonly userId: number | null
  readonly email: string | null
  readonly createdAt: number
  /** Set for failed sign-ins only. */
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
