export { type CallbackOptions, handleCallback } from './callback.ts'
export { type CallbackErrorCode, readCallbackError } from './callback-error.ts'
export { type Client, type ClientOptions, createClient } from './client.ts'
export {
  ACCESS_TOKEN_COOKIE,
  type CookieAttributes,
  parseCookies,
  REFRESH_TOKEN_COOKIE,
  serializeCookie,
} from './cookies.ts'
export {
  type ErrorCode,
  GatehouseError,
  InvalidRefreshTokenError,
  InvalidReturnToError,
  NotProvisionedError,
  RateLimitedError,
  RefreshReusedError,
  RefreshSupersededError,
  TenantExpiredError,
  TenantNotFoundError,
  TenantPausedError,
  UnavailableError,
  UnexpectedResponseError,
} from './errors.ts'
export { forwardCookies } from './forward-cookies.ts'
export type { LoginUrlOptions } from './login-url.ts'
export { handleLogout, type LogoutOptions } from './logout.ts'
export { redirectToRetry } from './redirect-to-retry.ts'
export type { RefreshOptions } from './refresher.ts'
export type { Session, SessionInput } from './session.ts'
export type { CookieNames, CookieOptions, RequestContext, SessionCookies } from './session-cookies.ts'
export { type StartLoginOptions, startLogin } from './start-login.ts'
export type { Fetch, HeadersLike, RequestLike, TokenPair, User, Verification } from './types.ts'
