import type { AuthEventKind, LoginFailureStage } from '@gatehouse/contract'
import type { UserId } from '../ids.ts'
import type { Instant } from '../time.ts'

/** An entry of a tenant's history, as it is stored. */
export interface AuthEvent extends NewAuthEvent {
  readonly id: number
}

export interface NewAuthEvent {
  readonly event: AuthEventKind
  readonly userId: UserId | null
  readonly email: string | null
  readonly redirectUri: string | null
  readonly returnTo: string | null
  readonly metadata: Readonly<Record<string, string>>
  readonly createdAt: Instant
}

/** Where a login was going, when it was a login. */
interface Route {
  readonly redirectUri: string
  readonly returnTo: string | null
}

interface Person {
  readonly id: number
  readonly email: string
}

const nobody = { userId: null, email: null }
const nowhere = { redirectUri: null, returnTo: null }
const on = ({ redirectUri, returnTo }: Route): Route => ({ redirectUri, returnTo })
const of = ({ id, email }: Person) => ({ userId: id, email })

// One constructor per kind, and no other way to make an event.

export const loginStarted = (route: Route, now: Instant): NewAuthEvent => ({
  event: 'login_started',
  ...nobody,
  ...on(route),
  metadata: {},
  createdAt: now,
})

/** Whoever said no stays unknown: they declined to be known here. */
export const consentDenied = (route: Route, by: 'user' | 'provider', now: Instant): NewAuthEvent => ({
  event: 'consent_denied',
  ...nobody,
  ...on(route),
  metadata: { by },
  createdAt: now,
})

export const authorized = (route: Route, person: Person, now: Instant): NewAuthEvent => ({
  event: 'authorize',
  ...of(person),
  ...on(route),
  metadata: {},
  createdAt: now,
})

export const loginFailed = (
  route: Route,
  failure: { readonly stage: LoginFailureStage; readonly errorCode: string },
  now: Instant,
): NewAuthEvent => ({
  event: 'login_failed',
  ...nobody,
  ...on(route),
  metadata: { stage: failure.stage, error_code: failure.errorCode },
  createdAt: now,
})

export const tokenRefreshed = (person: Person, now: Instant): NewAuthEvent => ({
  event: 'token_refreshed',
  ...of(person),
  ...nowhere,
  metadata: {},
  createdAt: now,
})

export const loggedOut = (person: Person, reason: 'user' | 'refresh_reuse', now: Instant): NewAuthEvent => ({
  event: 'logout',
  ...of(person),
  ...nowhere,
  metadata: { reason },
  createdAt: now,
})
