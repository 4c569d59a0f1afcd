import { toBase64Url } from '../encoding.ts'
import { memoryKey, type Refresh } from '../service/refresher.ts'
import type { Clock } from '../service/send.ts'
import type { TokenPair } from '../types.ts'
import { ACCESS_TOKEN_COOKIE, REFRESH_TOKEN_COOKIE } from './cookies.ts'
import {
  newBind,
  type RequestContext,
  type SentCookies,
  type SessionCookies,
} from './session-cookies.ts'

/**
 * Keeps token pairs on your server, in a database or in Redis; the browser gets a random session id. `id` is the SHA-256
 * of that cookie, so a copy of the store is not enough to sign in.
 *
 * @example
 * ```ts
 * import { createClient, type SessionStore, type TokenPair } from '@gatehouse-auth/sdk'
 *
 * const database = new Map<string, TokenPair>() // your database, or Redis with an expiry of ttlSeconds
 * const store: SessionStore = {
 *   get: async (id) => database.get(id),
 *   set: async (id, tokens, ttlSeconds) => database.set(id, tokens),
 *   delete: async (id) => database.delete(id),
 * }
 * createClient({ baseUrl: 'https://login.example.com', tenantId: 'swift-fox-running-k3qd', store })
 * ```
 */
export interface SessionStore {
  get(id: string): TokenPair | null | undefined | Promise<TokenPair | null | undefined>
  /** Replaces what is stored under `id`. It may be deleted after `ttlSeconds`. */
  set(id: string, tokens: TokenPair, ttlSeconds: number): unknown
  delete(id: string): unknown
}

/** Where the pair of a browser is kept: in its cookies, or in a store of the app. */
export interface SessionStorage {
  /** True if a pair can be stored without a response to the browser. */
  readonly storesWithoutCookies: boolean
  read(request: RequestContext): Promise<SentCookies>
  /** Stores the pair of a new login. Returns `Set-Cookie` lines. */
  start(request: RequestContext, tokens: TokenPair, bind: string): Promise<readonly string[]>
  /** Stores a refreshed pair. Returns `Set-Cookie` lines. */
  save(request: RequestContext, tokens: TokenPair): Promise<readonly string[]>
  /** Removes an ended session. Returns `Set-Cookie` lines. */
  clear(request: RequestContext): Promise<readonly string[]>
}

export const cookieStorage = (cookies: SessionCookies): SessionStorage => ({
  storesWithoutCookies: false,
  read: async (request) => cookies.read(request),
  start: async (request, tokens, bind) => cookies.store(request, tokens, bind),
  save: async (request, tokens) => cookies.store(request, tokens),
  clear: async (request) => cookies.clear(request),
})

/** The id lives as long as a session can; the store's entry expires after 30 days without a refresh. */
const SESSION_COOKIE = { ...ACCESS_TOKEN_COOKIE, maxAge: 31_536_000 }
const NO_SESSION: SentCookies = { accessToken: null, refreshToken: null, bind: null }

export function serverStorage(
  cookies: SessionCookies,
  store: SessionStore,
  sessionName = 'gh_session',
): SessionStorage {
  const idOf = async (request: RequestContext): Promise<string | null> => {
    const value = cookies.value(request, sessionName)
    return value === null || !SESSION_ID.test(value) ? null : digest(value)
  }
  const put = (id: string, tokens: TokenPair): unknown =>
    store.set(id, pairOf(tokens), REFRESH_TOKEN_COOKIE.maxAge)

  return {
    storesWithoutCookies: true,
    async read(request) {
      const id = await idOf(request)
      const pair = id === null ? null : await store.get(id)
      // The id binds the browser: it is a cookie, and never in a URL.
      return pair ? { ...pairOf(pair), bind: id } : NO_SESSION
    },
    async start(request, tokens) {
      const value = newBind() + newBind()
      await put(await digest(value), tokens)
      return [cookies.serialize(request, sessionName, value, SESSION_COOKIE)]
    },
    async save(request, tokens) {
      const id = await idOf(request)
      if (id !== null) {
        await put(id, tokens)
      }
      return []
    },
    async clear(request) {
      const id = await idOf(request)
      if (id !== null) {
        await store.delete(id)
      }
      return cookies.clear(request)
    },
  }
}

const SESSION_ID = /^[\w-]{44}$/

const pairOf = ({ accessToken, refreshToken }: TokenPair): TokenPair => ({
  accessToken,
  refreshToken,
})

async function digest(text: string): Promise<string> {
  return toBase64Url(
    new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))),
  )
}

/** Serves requests that arrive with the spent refresh token shortly after its refresh. */
const RECENT_MS = 10_000

/** For a pair that reached no client, because the service failed between the refresh and its verification. */
const UNDELIVERED_MS = 600_000

export interface Refresher {
  readonly refresh: Refresh
  /** The pair that this process got for this refresh token and `bind` within the last ten seconds. */
  recentPair(refreshToken: string, bind?: string | null): TokenPair | null
  /** Keeps a recent pair for ten minutes, because it was not delivered: without it the user loses the session. */
  keepUndelivered(refreshToken: string, bind?: string | null): void
}

export function withRecentPairs(refresh: Refresh, clock: Clock): Refresher {
  const recent = new Map<string, { readonly pair: TokenPair; readonly until: number }>()
  /**
   * `refresh` forgets its request some turns of the event loop before the pair is in `recent`. A call in between would
   * spend the token a second time.
   */
  const unrecorded = new Map<string, Promise<TokenPair>>()
  const removeExpired = (): void => {
    for (const [key, { until }] of recent) {
      if (clock.now() > until) {
        recent.delete(key)
      }
    }
  }
  return {
    async refresh(refreshToken, options) {
      removeExpired()
      const key = memoryKey(refreshToken, options?.bind)
      const current = unrecorded.get(key)
      if (current !== undefined) {
        return current
      }
      const started = refresh(refreshToken, options)
        .then((pair) => {
          recent.set(key, { pair, until: clock.now() + RECENT_MS })
          return pair
        })
        .finally(() => unrecorded.delete(key))
      unrecorded.set(key, started)
      return started
    },
    recentPair(refreshToken, bind) {
      removeExpired()
      return recent.get(memoryKey(refreshToken, bind))?.pair ?? null
    },
    keepUndelivered(refreshToken, bind) {
      const key = memoryKey(refreshToken, bind)
      const known = recent.get(key)
      if (known !== undefined) {
        recent.set(key, { ...known, until: clock.now() + UNDELIVERED_MS })
      }
    },
  }
}
