import type * as wire from '@gatehouse-auth/contract'
import type { UserId } from '../ids.ts'
import type { LoginOutcome } from '../login/attempt.ts'
import type { Instant } from '../time.ts'

/** A stored entry of a tenant's history. */
export interface AuthEvent extends NewAuthEvent {
  readonly id: number
}

export interface NewAuthEvent {
  readonly event: wire.AuthEventKind
  readonly userId: UserId | null
  readonly email: string | null
  readonly redirectUri: string | null
  readonly returnTo: string | null
  readonly metadata: wire.EventMetadata
  readonly createdAt: Instant
}

/** The event that ends a login. */
export interface LoginEnd extends NewAuthEvent {
  readonly event: LoginOutcome
}

interface LoginTarget {
  readonly redirectUri: string
  readonly returnTo: string | null
  readonly provider: wire.ProviderName
}

interface EventUser {
  readonly id: number
  readonly email: string
}

/** Google's events are as specified: without the provider. */
function withProvider(metadata: wire.EventMetadata, { provider }: LoginTarget): wire.EventMetadata {
  return provider === 'google' ? metadata : { ...metadata, provider }
}

// One constructor per event kind.

export const loginStarted = (target: LoginTarget, now: Instant): NewAuthEvent => ({
  event: 'login_started',
  userId: null,
  email: null,
  redirectUri: target.redirectUri,
  returnTo: target.returnTo,
  metadata: withProvider({}, target),
  createdAt: now,
})

/** Without the user, even if identified: they declined to share their profile. */
export const consentDenied = (
  target: LoginTarget,
  by: 'user' | 'provider',
  now: Instant,
): LoginEnd => ({
  event: 'consent_denied',
  userId: null,
  email: null,
  redirectUri: target.redirectUri,
  returnTo: target.returnTo,
  metadata: withProvider({ by }, target),
  createdAt: now,
})

/** `target` is null for a session that a test created without a login. `isNew`: the user signs in for the first time. */
export function authorized(
  target: LoginTarget | null,
  user: EventUser,
  isNew: boolean,
  now: Instant,
): LoginEnd {
  const metadata: wire.EventMetadata = isNew ? { new_user: true } : {}
  return {
    event: 'authorize',
    userId: user.id,
    email: user.email,
    redirectUri: target?.redirectUri ?? null,
    returnTo: target?.returnTo ?? null,
    metadata: target === null ? metadata : withProvider(metadata, target),
    createdAt: now,
  }
}

export const loginFailed = (
  target: LoginTarget,
  failure: { readonly stage: wire.LoginFailureStage; readonly errorCode: wire.LoginFailureCode },
  now: Instant,
): LoginEnd => ({
  event: 'login_failed',
  userId: null,
  email: null,
  redirectUri: target.redirectUri,
  returnTo: target.returnTo,
  metadata: withProvider({ stage: failure.stage, error_code: failure.errorCode }, target),
  createdAt: now,
})

export const tokenRefreshed = (user: EventUser, now: Instant): NewAuthEvent => ({
  event: 'token_refreshed',
  userId: user.id,
  email: user.email,
  redirectUri: null,
  returnTo: null,
  metadata: {},
  createdAt: now,
})

/** `owner`: the owner ended the session. `person`: the user did, on `/me`. `operator`: the operator ended all. */
export type LogoutReason = NonNullable<wire.EventMetadata['reason']>

/** `user` is null if the user is deleted. */
export const loggedOut = (
  user: EventUser | null,
  reason: LogoutReason,
  now: Instant,
): NewAuthEvent => ({
  event: 'logout',
  userId: user?.id ?? null,
  email: user?.email ?? null,
  redirectUri: null,
  returnTo: null,
  metadata: { reason },
  createdAt: now,
})

/**
 * What an owner may see of an event. An allowlist, so that fields added later stay hidden by default. Left out: redirect
 * URIs, return paths, and all metadata except the error code (spec, insights).
 */
export interface OwnerEvent {
  readonly event: wire.AuthEventKind
  readonly userId: UserId | null
  readonly email: string | null
  readonly createdAt: Instant
  readonly errorCode: wire.LoginFailureCode | null
}

export const ownerView = ({
  event,
  userId,
  email,
  createdAt,
  metadata,
}: AuthEvent): OwnerEvent => ({
  event,
  userId,
  email,
  createdAt,
  errorCode: metadata.error_code ?? null,
})
