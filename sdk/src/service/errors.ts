/** The properties that all errors share. */
export interface ErrorContext {
  /** The `X-Request-Id` of the response. Quote it to the operator of the service. */
  readonly requestId?: string | null
  /** Where the service documents the error. */
  readonly docsUrl?: string | null
  readonly cause?: unknown
}

/** What an error response says. Each class keeps its part. */
export interface ResponseDetails extends ErrorContext {
  readonly reason: 'status'
  readonly status: number
  readonly code: string | null
  readonly details: Readonly<Record<string, unknown>>
  readonly retryAfterSeconds: number | null
  readonly pauseReason: string | null
  readonly window: string | null
}

export type ErrorCode =
  | 'tenantPaused'
  | 'tenantSuspended'
  | 'tenantExpired'
  | 'tenantNotFound'
  | 'notProvisioned'
  | 'rateLimited'
  | 'refreshTokenSuperseded'
  | 'refreshTokenReused'
  | 'invalidRefreshToken'
  | 'invalidCode'
  | 'invalidAccessToken'
  | 'idTokensOff'
  | 'invalidReturnTo'
  | 'loginNotStarted'
  | 'invalidWebhook'
  | 'unavailable'
  | 'unexpectedResponse'
  | ManagementErrorCode

/** The codes of `@gatehouse-auth/sdk/management` that sign-ins do not have. */
export type ManagementErrorCode =
  | 'missingCredentials'
  | 'invalidCredentials'
  | 'wrongKeyKind'
  | 'invalidRequest'
  | 'unsupportedMediaType'
  | 'bodyTooLarge'
  | 'userNotFound'
  | 'sessionNotFound'
  | 'identityNotFound'
  | 'onlyIdentity'
  | 'userBlocked'
  | 'mergeRefused'
  | 'metadataChanged'
  | 'importRequiresClaim'
  | 'ownerRequired'
  | 'providerNotFound'
  | 'providerLimit'
  | 'noSharedClient'
  | 'brandNotFound'
  | 'domainNotFound'
  | 'domainLimit'
  | 'webhookNotFound'
  | 'webhookUrlRefused'
  | 'invitationLimit'
  | 'invitationNotFound'
  | 'webhookLimit'
  | 'outcomeUnknown'

/**
 * The base class of all errors of this package. `code` is stable: compare it instead of the message, or instead of the
 * class if two copies of the package may be loaded. `retryable`: the same call may succeed later.
 *
 * @example
 * ```ts
 * import { createClient, GatehouseError } from '@gatehouse-auth/sdk'
 *
 * const client = createClient({ baseUrl: 'https://login.example.com', tenantId: 'swift-fox-running-k3qd' })
 * try {
 *   await client.refresh('svc_rt_…')
 * } catch (error) {
 *   if (!(error instanceof GatehouseError && error.retryable)) throw error
 *   console.log('Try again later.')
 * }
 * ```
 */
export abstract class GatehouseError extends Error {
  abstract readonly code: ErrorCode
  readonly retryable: boolean = false
  readonly requestId: string | null
  readonly docsUrl: string | null

  constructor(message: string, context: ErrorContext = {}) {
    super(message, context)
    this.requestId = context.requestId ?? null
    this.docsUrl = context.docsUrl ?? null
  }
}

/** The project is paused because it reached a cap of a guest. Its sessions are kept; claiming the project resumes it. */
export class TenantPausedError extends GatehouseError {
  override readonly name = 'TenantPausedError'
  readonly code = 'tenantPaused'
  readonly pauseReason: string | null

  constructor(
    message: string,
    context: ErrorContext & { readonly pauseReason?: string | null } = {},
  ) {
    super(message, context)
    this.pauseReason = context.pauseReason ?? null
  }
}

/** The operator of the service suspended the project. Its sessions are kept, and continue when the suspension is lifted. */
export class TenantSuspendedError extends GatehouseError {
  override readonly name = 'TenantSuspendedError'
  readonly code = 'tenantSuspended'
}

/** A guest project was not claimed within 72 hours. */
export class TenantExpiredError extends GatehouseError {
  override readonly name = 'TenantExpiredError'
  readonly code = 'tenantExpired'
}

/** No project has this tenant id: it is misspelled, or the project was deleted. */
export class TenantNotFoundError extends GatehouseError {
  override readonly name = 'TenantNotFoundError'
  readonly code = 'tenantNotFound'
}

/** The project exists, but social login is not provisioned. */
export class NotProvisionedError extends GatehouseError {
  override readonly name = 'NotProvisionedError'
  readonly code = 'notProvisioned'
}

/** A rate limit is reached. Nothing was consumed: the refresh token is still valid. */
export class RateLimitedError extends GatehouseError {
  override readonly name = 'RateLimitedError'
  override readonly retryable = true
  readonly code = 'rateLimited'
  readonly retryAfterSeconds: number | null
  /** The limit's window: `minute`, `month`, or null when the response does not name one. */
  readonly window: string | null

  constructor(
    message: string,
    context: ErrorContext & {
      readonly retryAfterSeconds?: number | null
      readonly window?: string | null
    } = {},
  ) {
    super(message, context)
    this.retryAfterSeconds = context.retryAfterSeconds ?? null
    this.window = context.window ?? null
  }
}

/** Another request refreshed this session within the last ten seconds and has the new pair. The session is valid. */
export class RefreshSupersededError extends GatehouseError {
  override readonly name = 'RefreshSupersededError'
  readonly code = 'refreshTokenSuperseded'
}

/** A spent refresh token was used again, so the service revoked the session. The user has to sign in again. */
export class RefreshReusedError extends GatehouseError {
  override readonly name = 'RefreshReusedError'
  readonly code = 'refreshTokenReused'
}

/** The refresh token is unknown, expired or revoked. The user has to sign in again. */
export class InvalidRefreshTokenError extends GatehouseError {
  override readonly name = 'InvalidRefreshTokenError'
  readonly code = 'invalidRefreshToken'
}

/** `returnTo` is not a path inside the app. */
export class InvalidReturnToError extends GatehouseError {
  override readonly name = 'InvalidReturnToError'
  readonly code = 'invalidReturnTo'
}

/** The callback got tokens of a login link that `startLogin` did not make. Passed to `onError` of `handleCallback`. */
export class LoginNotStartedError extends GatehouseError {
  override readonly name = 'LoginNotStartedError'
  readonly code = 'loginNotStarted'

  constructor() {
    super(
      'This login did not start at startLogin, so an attacker may have sent the link. Its tokens were ignored, and a new login was started. Link to your login route instead of client.loginUrl(), or pass requireNonce: false to accept such links.',
    )
  }
}

/** The one-time code of a callback is unknown, expired or used, or was issued for another browser. The user signs in again. */
export class InvalidCodeError extends GatehouseError {
  override readonly name = 'InvalidCodeError'
  readonly code = 'invalidCode'
}

/** The access token is invalid, expired or revoked. Refresh the session. */
export class InvalidAccessTokenError extends GatehouseError {
  override readonly name = 'InvalidAccessTokenError'
  readonly code = 'invalidAccessToken'
}

/** The project issues no ID tokens: its setting `id_tokens` is null. */
export class IdTokensOffError extends GatehouseError {
  override readonly name = 'IdTokensOffError'
  readonly code = 'idTokensOff'
}

/** No response, a timeout, or a 5xx status. It says nothing about the session: do not sign the user out. */
export class UnavailableError extends GatehouseError {
  override readonly name = 'UnavailableError'
  override readonly retryable = true
  readonly code = 'unavailable'
  readonly reason: 'network' | 'timeout' | 'status'
  readonly retryAfterSeconds: number | null

  constructor(
    message: string,
    context: ErrorContext & {
      readonly reason: UnavailableError['reason']
      readonly retryAfterSeconds?: number | null
    },
  ) {
    super(message, context)
    this.reason = context.reason
    this.retryAfterSeconds = context.retryAfterSeconds ?? null
  }
}

/** The response is not one of this API version: another version, a proxy's error page, or a wrong `baseUrl`. */
export class UnexpectedResponseError extends GatehouseError {
  override readonly name = 'UnexpectedResponseError'
  readonly code = 'unexpectedResponse'
  readonly status: number

  constructor(message: string, context: ErrorContext & { readonly status: number }) {
    super(message, context)
    this.status = context.status
  }
}

/** A request is not a webhook that the service signed with this secret a moment ago. Answer 400. */
export class InvalidWebhookError extends GatehouseError {
  override readonly name = 'InvalidWebhookError'
  readonly code = 'invalidWebhook'
}
