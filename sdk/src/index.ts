export { isNavigation } from './adapters/answers.ts'
export { type Client, type ClientOptions, createClient } from './client.ts'
export type { CoreClient, CoreClientOptions } from './core-client.ts'
export { type CallbackOptions, handleCallback } from './login/callback.ts'
export { type CallbackErrorCode, readCallbackError } from './login/callback-error.ts'
export type { CodeLoginUrlOptions, LoginUrlOptions } from './login/login-url.ts'
export type { LoginProvider, ProviderName } from './login/provider.ts'
export {
  handleLogout,
  type LoginFlow,
  type LogoutOptions,
  type RelayOptions,
  relayProvider,
  type StartLoginOptions,
  startLogin,
} from './login/start-login.ts'
export type { AuthEventKind } from './management/types.ts'
export {
  type ErrorCode,
  GatehouseError,
  IdTokensOffError,
  InvalidAccessTokenError,
  InvalidCodeError,
  InvalidRefreshTokenError,
  InvalidReturnToError,
  InvalidWebhookError,
  LoginNotStartedError,
  NotProvisionedError,
  RateLimitedError,
  RefreshReusedError,
  RefreshSupersededError,
  TenantExpiredError,
  TenantNotFoundError,
  TenantPausedError,
  TenantSuspendedError,
  UnavailableError,
  UnexpectedResponseError,
} from './service/errors.ts'
export type { ExchangeOptions } from './service/exchange.ts'
export type { RefreshOptions } from './service/refresher.ts'
export {
  ACCESS_TOKEN_COOKIE,
  type CookieAttributes,
  forwardCookies,
  parseCookies,
  REFRESH_TOKEN_COOKIE,
  serializeCookie,
} from './session/cookies.ts'
export type {
  LinkOptions,
  NotSignedIn,
  ReadOptions,
  ReadSession,
  RefreshCookiesOptions,
  RefreshTokensOptions,
  RequestInput,
  Session,
  SessionInput,
  SessionOptions,
  SignedIn,
  TokensInput,
} from './session/session.ts'
export { redirectToRetry } from './session/session.ts'
export type {
  CookieNames,
  CookieOptions,
  RequestContext,
  SentCookies,
  SessionCookies,
} from './session/session-cookies.ts'
export type { SessionStorage, SessionStore } from './session/session-storage.ts'
export type { Fetch, HeadersLike, RequestLike, TokenPair, User, Verification } from './types.ts'
export {
  type AuthEventData,
  type DeletedUserData,
  type UserData,
  verifyWebhook,
  type WebhookEvent,
  type WebhookOptions,
  type WebhookRequest,
} from './webhooks/verify-webhook.ts'
