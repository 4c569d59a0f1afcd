/** What is known about a failed call besides its kind. */
export interface ErrorFacts {
  /** The service's `X-Request-Id`: give it to whoever runs the service. */
  readonly requestId?: string | null
  readonly cause?: unknown
}

export type ErrorCode =
  | 'tenantPaused'
  | 'tenantExpired'
  | 'tenantNotFound'
  | 'notProvisioned'
  | 'rateLimited'
  | 'refreshTokenSuperseded'
  | 'refreshTokenReused'
  | 'invalidRefreshToken'
  | 'invalidReturnTo'
  | 'unavailable'
  | 'unexpectedAnswer'

/**
 * Every error of this package. `code` is stable: compare it rather than the message, or the class when two copies of
 * the package might be loaded. `retryable`: the very same call may succeed later.
 *
 * ```ts
 * try {
 *   await client.refresh(refreshToken)
 * } catch (error) {
 *   if (error instanceof GatehouseError && error.retryable) return tryAgainLater()
 *   throw error
 * }
 * ```
 */
export abstract class GatehouseError extends Error {
  abstract readonly code: ErrorCode
  readonly retryable: boolean = false
  readonly requestId: string | null

  constructor(message: string, { requestId = null, cause }: ErrorFacts = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.requestId = requestId
  }
}

/** The whole project is paused because it used up a cap. Sessions live on; its owner claims it to continue. */
export class TenantPausedError extends GatehouseError {
  override readonly name = 'TenantPausedError'
  readonly code = 'tenantPaused'
  readonly pauseReason: string | null

  constructor(message: string, facts: ErrorFacts & { readonly pauseReason?: string | null } = {}) {
    super(message, facts)
    this.pauseReason = facts.pauseReason ?? null
  }
}

/** A guest project passed its 72 hours without being claimed. */
export class TenantExpiredError extends GatehouseError {
  override readonly name = 'TenantExpiredError'
  readonly code = 'tenantExpired'
}

/** No project has this tenant id: it is mistyped, or was deleted. */
export class TenantNotFoundError extends GatehouseError {
  override readonly name = 'TenantNotFoundError'
  readonly code = 'tenantNotFound'
}

/** The project exists, but social login was not set up for it yet. */
export class NotProvisionedError extends GatehouseError {
  override readonly name = 'NotProvisionedError'
  readonly code = 'notProvisioned'
}

/** An allowance is used up. Nothing was consumed: the refresh token is still good. */
export class RateLimitedError extends GatehouseError {
  override readonly name = 'RateLimitedError'
  override readonly retryable = true
  readonly code = 'rateLimited'
  readonly retryAfterSeconds: number | null
  /** Which allowance: `minute`, `month`, or null when the answer did not say. */
  readonly window: string | null

  constructor(
    message: string,
    facts: ErrorFacts & { readonly retryAfterSeconds?: number | null; readonly window?: string | null } = {},
  ) {
    super(message, facts)
    this.retryAfterSeconds = facts.retryAfterSeconds ?? null
    this.window = facts.window ?? null
  }
}

/** Another request refreshed this session a moment ago and has the new pair. Nobody was signed out. */
export class RefreshSupersededError extends GatehouseError {
  override readonly name = 'RefreshSupersededError'
  readonly code = 'refreshTokenSuperseded'
}

/** A spent refresh token came back, so the session was ended to protect the person. They sign in again. */
export class RefreshReusedError extends GatehouseError {
  override readonly name = 'RefreshReusedError'
  readonly code = 'refreshTokenReused'
}

/** The refresh token is unknown, expired or ended. The person signs in again. */
export class InvalidRefreshTokenError extends GatehouseError {
  override readonly name = 'InvalidRefreshTokenError'
  readonly code = 'invalidRefreshToken'
}

/** A `returnTo` that is not a path inside the app. */
export class InvalidReturnToError extends GatehouseError {
  override readonly name = 'InvalidReturnToError'
  readonly code = 'invalidReturnTo'
}

/** No answer, an answer too late, or one that says "not now". It tells nothing about who is signed in. */
export class UnavailableError extends GatehouseError {
  override readonly name = 'UnavailableError'
  override readonly retryable = true
  readonly code = 'unavailable'
  readonly reason: 'network' | 'timeout' | 'status'
  readonly retryAfterSeconds: number | null

  constructor(
    message: string,
    facts: ErrorFacts & { readonly reason: UnavailableError['reason']; readonly retryAfterSeconds?: number | null },
  ) {
    super(message, facts)
    this.reason = facts.reason
    this.retryAfterSeconds = facts.retryAfterSeconds ?? null
  }
}

/** Whatever answered is not the service this package knows: another version, a proxy's page, a wrong address. */
export class UnexpectedResponseError extends GatehouseError {
  override readonly name = 'UnexpectedAnswerError'
  readonly code = 'unexpectedAnswer'
  readonly status: number

  constructor(message: string, facts: ErrorFacts & { readonly status: number }) {
    super(message, facts)
    this.status = facts.status
  }
}
