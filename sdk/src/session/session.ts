import { InvalidRefreshTokenError, RefreshReusedError, RefreshSupersededError } from '../service/errors.ts'
import type { Refresher } from '../service/refresher.ts'
import type { HeadersLike, TokenPair, User, Verification } from '../types.ts'
import type { RequestContext, SessionCookies } from './session-cookies.ts'

/** A request with the token cookies, or the tokens themselves. */
export type SessionInput =
  | { readonly headers: HeadersLike; readonly url?: string }
  | { readonly accessToken?: string | null | undefined; readonly refreshToken?: string | null | undefined }

/**
 * The session of a request. Add every line of `setCookies` to your response as a `Set-Cookie` header, for every status.
 *
 * - `signedIn`: `tokens` is the new pair to store if this call refreshed the session, otherwise null.
 * - `signedOut`: there is no session, or it has ended. `setCookies` removes its cookies.
 * - `superseded`: the session is valid, but a concurrent request in another process of your app refreshed it, and the
 *   new cookies are on their way to the browser. Respond with `redirectToRetry`.
 */
export type Session =
  | {
      readonly status: 'signedIn'
      readonly user: User
      readonly tokens: TokenPair | null
      readonly setCookies: readonly string[]
    }
  | {
      readonly status: 'signedOut' | 'superseded'
      readonly user: null
      readonly tokens: null
      readonly setCookies: readonly string[]
    }

export interface SessionDependencies {
  readonly cookies: SessionCookies
  readonly refresher: Refresher
  verify(accessToken: string): Promise<Verification>
}

/** Verifies the access token; if it is invalid, refreshes and verifies the new one (spec, Authentication 12). */
export async function readSession(
  { cookies, refresher, verify }: SessionDependencies,
  input: SessionInput,
): Promise<Session> {
  const request: RequestContext = 'headers' in input ? input : {}
  const { accessToken, refreshToken } = 'headers' in input ? cookies.read(input) : input
  const signedOut = (): Session => ({ ...NO_SESSION, status: 'signedOut', setCookies: cookies.clear(request) })

  if (accessToken) {
    const verified = await verify(accessToken)
    if (verified.valid) return { status: 'signedIn', user: verified.user, tokens: null, setCookies: [] }
  }
  if (!refreshToken) return signedOut()
  try {
    const tokens = refresher.recentPair(refreshToken) ?? (await refresher.refresh(refreshToken))
    const verified = await verify(tokens.accessToken).catch((error: unknown) => {
      refresher.keepUndelivered(refreshToken)
      throw error
    })
    if (!verified.valid) return signedOut()
    return { status: 'signedIn', user: verified.user, tokens, setCookies: cookies.store(request, tokens) }
  } catch (error) {
    if (error instanceof RefreshSupersededError) return { ...NO_SESSION, status: 'superseded', setCookies: [] }
    // Only these two errors end the session. An outage or a paused tenant must not sign the user out.
    if (error instanceof InvalidRefreshTokenError || error instanceof RefreshReusedError) return signedOut()
    throw error
  }
}

const NO_SESSION = { user: null, tokens: null } as const
