import { InvalidRefreshTokenError, RefreshReusedError, RefreshSupersededError } from './errors.ts'
import type { Refresher } from './refresher.ts'
import type { Place, SessionCookies } from './session-cookies.ts'
import type { HeadersLike, TokenPair, User, Verification } from './types.ts'

/** A request whose cookies hold the pair, or the pair itself. */
export type SessionInput =
  | { readonly headers: HeadersLike; readonly url?: string }
  | { readonly accessToken?: string | null | undefined; readonly refreshToken?: string | null | undefined }

/**
 * Who is asking. Whatever the status, send `setCookies` along with your answer, each as a `Set-Cookie` header.
 *
 * - `signedIn`: `tokens` is the new pair when the session was refreshed just now, to store; otherwise null.
 * - `signedOut`: there is no session, or it has ended. `setCookies` removes what is left of it.
 * - `superseded`: signed in, but another process of your app refreshed this session a moment ago and its answer, with
 *   the new cookies, is on its way to the browser. Nobody is signed out: answer so that the browser asks again.
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

export interface SessionParts {
  readonly cookies: SessionCookies
  readonly refresher: Refresher
  verify(accessToken: string): Promise<Verification>
}

/** Verify; if that fails and there is a refresh token, refresh and verify again (spec, Authentication 12). */
export async function readSession({ cookies, refresher, verify }: SessionParts, input: SessionInput): Promise<Session> {
  const place: Place = 'headers' in input ? input : {}
  const { accessToken, refreshToken } = 'headers' in input ? cookies.read(input) : input
  const signedOut = (): Session => ({ ...NO_USER, status: 'signedOut', setCookies: cookies.clear(place) })

  if (accessToken) {
    const verified = await verify(accessToken)
    if (verified.valid) return { status: 'signedIn', user: verified.user, tokens: null, setCookies: [] }
  }
  if (!refreshToken) return signedOut()
  try {
    const tokens = refresher.recent(refreshToken) ?? (await refresher.refresh(refreshToken))
    const verified = await verify(tokens.accessToken).catch((error: unknown) => {
      refresher.keep(refreshToken)
      throw error
    })
    if (!verified.valid) return signedOut()
    return { status: 'signedIn', user: verified.user, tokens, setCookies: cookies.store(place, tokens) }
  } catch (error) {
    if (error instanceof RefreshSupersededError) return { ...NO_USER, status: 'superseded', setCookies: [] }
    // Only these two say that the session is over. An outage or a pause says nothing, and must sign nobody out.
    if (error instanceof InvalidRefreshTokenError || error instanceof RefreshReusedError) return signedOut()
    throw error
  }
}

const NO_USER = { user: null, tokens: null } as const
