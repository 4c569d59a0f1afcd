import type { HeadersLike, TokenPair, User } from '../types.ts'

/** A request with the cookies of the session: a `Request`, or its headers. */
export interface RequestInput {
  readonly headers: HeadersLike
  readonly url?: string
}

/** A token pair that your app keeps itself. */
export interface TokensInput {
  readonly accessToken?: string | null | undefined
  readonly refreshToken?: string | null | undefined
  /** A random value of this session, which you keep next to the pair. With the client's `secret`, lost responses are repeated. */
  readonly bind?: string | null | undefined
}

export type SessionInput = RequestInput | TokensInput

/** Verifies the access token and changes nothing. */
export interface ReadOptions {
  readonly refresh?: false
  readonly signal?: AbortSignal | undefined
}

/** Also refreshes, because the caller can set cookies. */
export interface RefreshCookiesOptions {
  readonly refresh: true
  /** Called with each `Set-Cookie` line for your response, before `session` resolves. Add them for every status. */
  readonly setCookie: (line: string) => void
  readonly signal?: AbortSignal | undefined
}

/** Also refreshes, because the caller stores the pair. */
export interface RefreshTokensOptions {
  readonly refresh: true
  /** Called with the new pair, or with null when the session has ended. Awaited before `session` resolves. */
  readonly onTokens: (tokens: TokenPair | null) => void | Promise<void>
  readonly signal?: AbortSignal | undefined
}

export type SessionOptions = ReadOptions | RefreshCookiesOptions | RefreshTokensOptions

/** `tokens` is the new pair if this call refreshed the session, otherwise null. */
export interface SignedIn {
  readonly status: 'signedIn'
  readonly user: User
  readonly tokens: TokenPair | null
}

export interface NotSignedIn<Status extends string> {
  readonly status: Status
  readonly user: null
  readonly tokens: null
}

/**
 * The session of a request, read only.
 *
 * - `signedOut`: there is no session, or it has ended.
 * - `expired`: the access token has expired, and this call may not refresh it. The session may be valid: refresh it where
 *   you can set cookies.
 */
export type ReadSession = SignedIn | NotSignedIn<'signedOut' | 'expired'>

/**
 * The session of a request, refreshed if its access token had expired.
 *
 * - `signedOut`: there is no session, or it has ended. Its cookies are removed.
 * - `superseded`: the session is valid, but a concurrent request in another process of your app refreshed it, and the
 *   new cookies are on their way to the browser. Respond with `redirectToRetry`. Does not occur with a `secret`.
 */
export type Session = SignedIn | NotSignedIn<'signedOut' | 'superseded'>
