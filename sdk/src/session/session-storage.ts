import { toBase64Url } from '../base64url.ts'
import type { TokenPair } from '../types.ts'
import { ACCESS_TOKEN_COOKIE, REFRESH_TOKEN_COOKIE } from './cookies.ts'
import { newBind, type RequestContext, type SentCookies, type SessionCookies } from './session-cookies.ts'

/**
 * Keeps token pairs on your server, in a database or in Redis; the browser gets a random session id. `id` is the SHA-256
 * of that cookie, so a copy of the store is not enough to sign in.
 *
 * @example
 * ```ts
 * import { createClient, type SessionStore, type TokenPair } from '@gatehouse/sdk'
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
  const put = (id: string, tokens: TokenPair): unknown => store.set(id, pairOf(tokens), REFRESH_TOKEN_COOKIE.maxAge)

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
      if (id !== null) await put(id, tokens)
      return []
    },
    async clear(request) {
      const id = await idOf(request)
      if (id !== null) await store.delete(id)
      return cookies.clear(request)
    },
  }
}

const SESSION_ID = /^[\w-]{44}$/

const pairOf = ({ accessToken, refreshToken }: TokenPair): TokenPair => ({ accessToken, refreshToken })

async function digest(text: string): Promise<string> {
  return toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))))
}
