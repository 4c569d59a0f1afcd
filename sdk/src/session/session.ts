import type { ProviderName } from '../login/provider.ts'
import { redirect } from '../login/redirect.ts'
import type { HeadersLike, RequestLike, TokenPair, User } from '../types.ts'

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
  /**
   * An ID token of this user, which databases and other systems verify by themselves: for this audience, by default the first
   * of the settings. Kept until a minute before its end. Not enumerable, so that the session can be sent to a page as it is.
   */
  idToken(audience?: string): Promise<string>
  /**
   * A URL with which the user adds an account at another provider: redirect this browser to it within five minutes. Your callback
   * gets `linked`, or `error`, and no tokens; `handleCallback` then continues at `home`. Not enumerable either.
   */
  link(provider: ProviderName, options?: LinkOptions): Promise<string>
}

export interface LinkOptions {
  /** A registered callback URL. Default: the first. */
  readonly redirectUri?: string | undefined
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

/**
 * Browsers stop after about 20 redirects, so the retries span 8 seconds: less than the 10-second grace period in which
 * the service reports a spent refresh token as superseded instead of reused.
 */
const WAIT_MS = 400

/**
 * Responds to a request whose session is `superseded`: waits 400 ms, then redirects with 307, so that the browser sends
 * the same request again, body included. By then it has stored the cookies of the concurrent response.
 *
 * @example
 * ```ts
 * import { redirectToRetry } from '@gatehouse-auth/sdk'
 *
 * const response = await redirectToRetry(new Request('https://app.example/notes?page=2'))
 * console.log(response.status, response.headers.get('location')) // 307 /notes?page=2
 * ```
 */
export async function redirectToRetry(request: Pick<RequestLike, 'url'>): Promise<Response> {
  await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
  const { pathname, search } = new URL(request.url)
  // A Location of `//other.example/` is a network-path reference to another host (RFC 3986, section 4.2).
  return redirect(pathname.replace(/^\/+/, '/') + search, [], 307)
}
