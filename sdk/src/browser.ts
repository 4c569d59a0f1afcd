/** For apps that store tokens in the browser: all tabs share one session, and one tab at a time refreshes it. */

import { type CoreClient, type CoreClientOptions, createCoreClient } from './core-client.ts'
import { parseJson, recordOf } from './encoding.ts'
import type { CallbackErrorCode } from './login/callback-error.ts'
import { readCallbackQuery } from './login/callback-query.ts'
import { newNonce, withNonce } from './login/login-cookies.ts'
import type { ProviderName } from './login/provider.ts'
import { toLocation } from './login/redirect.ts'
import {
  InvalidRefreshTokenError,
  RefreshReusedError,
  RefreshSupersededError,
} from './service/errors.ts'
import { ACCESS_TOKEN_SECONDS } from './session/cookies.ts'
import type { TokenPair, User } from './types.ts'

/** A client, or its options: then the bundle contains only what a browser needs. */
export type BrowserSessionOptions = (CoreClientOptions | { readonly client: CoreClient }) & {
  /** The `localStorage` key of the token pair. Default `gatehouse`. */
  readonly key?: string
  readonly window?: BrowserWindow
}

export interface BrowserSession {
  /** Navigates to the login URL. Stores a nonce in `sessionStorage`, which `completeLogin` compares. */
  login(options?: {
    readonly returnTo?: string
    readonly provider?: ProviderName | undefined
  }): void
  /**
   * Call this first on your callback page. Removes the tokens from the URL, stores them, and returns the location to
   * continue at. Continue with a full page load: `location.replace(outcome.location)`.
   */
  completeLogin(options?: { readonly home?: string }): LoginOutcome
  /** The signed-in user, or null. All tabs share one session. Refreshes an expired access token. */
  user(): Promise<User | null>
  /** For the `Authorization` header of calls to your own server. Refreshed shortly before it expires. */
  accessToken(): Promise<string | null>
  /** Refreshes in one tab at a time; the other tabs get the same pair. */
  refresh(): Promise<TokenPair | null>
  logout(): Promise<void>
  /** Calls the listener after each login, refresh and logout, in this tab or another. Returns how to stop it. */
  onChange(listener: (status: 'signedIn' | 'signedOut') => void): () => void
}

export type LoginOutcome =
  | { readonly ok: true; readonly location: string }
  | { readonly ok: false; readonly error: CallbackErrorCode }

/** After `refreshTokenSuperseded`: how long to wait until the other tab has stored the new pair. */
const OTHER_TAB_TIMEOUT_MS = 3_000

/**
 * A session whose tokens are in `localStorage`. Cookies set by a server are safer; see the README.
 *
 * @example
 * ```ts
 * import { browserSession } from '@gatehouse-auth/sdk/browser'
 *
 * const session = browserSession({ baseUrl: 'https://login.example.com', tenantId: 'swift-fox-running-k3qd' })
 * session.onChange((status) => console.log(status))
 * const user = await session.user()
 * ```
 */
export function browserSession(options: BrowserSessionOptions): BrowserSession {
  const { key = 'gatehouse', window = globalThis as unknown as BrowserWindow } = options
  const client = 'client' in options ? options.client : createCoreClient(options)
  const { localStorage, sessionStorage } = window
  // Browsers that run this package have locks, in secure contexts. Without one, the service rejects all refreshes but one as
  // superseded, and the other tabs wait for its pair.
  const lock = <T>(work: () => Promise<T>): Promise<T> =>
    window.navigator.locks?.request(`${key}.lock`, work) ?? work()
  const nonceKey = `${key}.nonce`
  const listeners = new Set<() => void>()

  const read = (): StoredPair | null => readStoredPair(localStorage.getItem(key))
  const changed = (): void => {
    for (const listener of listeners) {
      listener()
    }
  }
  const store = (pair: TokenPair): void => {
    const stored: StoredPair = { ...pair, storedAt: Date.now() }
    localStorage.setItem(key, JSON.stringify(stored))
    changed()
  }
  const remove = (): void => {
    localStorage.removeItem(key)
    changed()
  }

  /** Browsers send this event to the other tabs only. Its key is null when all keys were removed. */
  const onStorage = (listener: () => void): (() => void) => {
    const filtered = (event: StorageEventLike): void => {
      if (event.key === key || event.key === null) {
        listener()
      }
    }
    window.addEventListener('storage', filtered)
    return () => window.removeEventListener('storage', filtered)
  }
  /** Resolves when another tab changes the session, or after the timeout. */
  const anotherTab = (): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer)
        stop()
        resolve()
      }
      const timer = setTimeout(end, OTHER_TAB_TIMEOUT_MS)
      const stop = onStorage(end)
    })

  /** One tab at a time. Returns the pair that is stored afterwards. */
  const refreshFrom = ({ refreshToken }: TokenPair): Promise<TokenPair | null> =>
    lock(async () => {
      const isCurrent = (token = refreshToken): boolean => read()?.refreshToken === token
      if (!isCurrent()) {
        return read()
      }
      try {
        const pair = await client.refresh(refreshToken)
        if (isCurrent()) {
          store(pair)
        }
        // A sign-out or another login came first, in any tab. Without a lock, it may also be a call that shares this refresh.
        else if (!isCurrent(pair.refreshToken)) {
          client.logout(pair.refreshToken).catch(() => {})
        }
      } catch (error) {
        await handleRefusal(error, isCurrent)
      }
      return read()
    })

  /** Ends the session, or waits for the pair of the tab that came first. Throws the error if neither helps. */
  const handleRefusal = async (error: unknown, isCurrent: () => boolean): Promise<void> => {
    if (error instanceof InvalidRefreshTokenError || error instanceof RefreshReusedError) {
      if (isCurrent()) {
        remove()
      }
      return
    }
    if (!(error instanceof RefreshSupersededError)) {
      throw error
    }
    if (isCurrent()) {
      await anotherTab()
    }
    if (isCurrent()) {
      throw error
    }
  }

  const userOf = async (pair: TokenPair | null): Promise<User | null> => {
    const verified = pair && (await client.verify(pair.accessToken))
    return verified?.valid ? verified.user : null
  }

  return {
    login({ returnTo, provider } = {}) {
      const nonce = newNonce()
      sessionStorage.setItem(nonceKey, nonce)
      window.location.assign(
        client.loginUrl({ provider, returnTo: withNonce(returnTo ?? null, nonce) }),
      )
    },
    completeLogin({ home = '/' } = {}) {
      const { outcome, returnTo, nonce } = readCallbackQuery(window.location.href)
      window.history.replaceState(null, '', new URL(window.location.href).pathname)
      const expected = sessionStorage.getItem(nonceKey)
      sessionStorage.removeItem(nonceKey)
      if ('error' in outcome) {
        return { ok: false, error: outcome.error }
      }
      if (nonce === null) {
        return { ok: false, error: 'login_not_started' }
      }
      if (nonce !== expected) {
        return { ok: false, error: 'nonce_mismatch' }
      }
      store(outcome.tokens)
      return { ok: true, location: toLocation(returnTo ?? home) }
    },
    async user() {
      const pair = read()
      return (await userOf(pair)) ?? (pair && userOf(await refreshFrom(pair)))
    },
    async accessToken() {
      const pair = read()
      if (pair === null) {
        return null
      }
      if (isFresh(pair, Date.now())) {
        return pair.accessToken
      }
      return (await refreshFrom(pair))?.accessToken ?? null
    },
    async refresh() {
      const pair = read()
      return pair && refreshFrom(pair)
    },
    async logout() {
      const pair = read()
      remove()
      if (pair !== null) {
        await client.logout(pair.refreshToken)
      }
    },
    onChange(listener) {
      const tell = (): void => listener(read() === null ? 'signedOut' : 'signedIn')
      listeners.add(tell)
      const stop = onStorage(tell)
      return () => {
        listeners.delete(tell)
        stop()
      }
    },
  }
}

/** A token counts as fresh for 99 % of its lifetime: one of an hour until 36 seconds before it expires. */
const FRESH_MS_PER_SECOND = 990

interface StoredPair extends TokenPair {
  /** By the browser's clock, which may be wrong: only the time elapsed since is used. */
  readonly storedAt: number
}

/** null for anything that is not a pair: other scripts write to localStorage too. */
function readStoredPair(text: string | null): StoredPair | null {
  const { accessToken, refreshToken, storedAt } = recordOf(parseJson(text ?? ''))
  if (typeof accessToken !== 'string' || typeof refreshToken !== 'string') {
    return null
  }
  return { accessToken, refreshToken, storedAt: typeof storedAt === 'number' ? storedAt : 0 }
}

/** A hint for when to refresh, not a validity check. */
const isFresh = ({ accessToken, storedAt }: StoredPair, now: number): boolean =>
  storedAt <= now && now - storedAt < lifetimeOf(accessToken) * FRESH_MS_PER_SECOND

/** In seconds. A development service may issue shorter tokens than those of an hour. */
function lifetimeOf(accessToken: string): number {
  try {
    const { exp, iat } = JSON.parse(
      atob((accessToken.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')),
    )
    return exp - iat
  } catch {
    return ACCESS_TOKEN_SECONDS
  }
}

/** The subset of the browser's `Window` that the SDK uses. Tests can pass a fake. */
export interface BrowserWindow {
  readonly localStorage: StorageLike
  readonly sessionStorage: StorageLike
  readonly location: {
    readonly href: string
    assign(url: string): void
    replace(url: string): void
  }
  readonly history: { replaceState(data: unknown, unused: string, url: string): void }
  readonly navigator: { readonly locks?: LocksLike | undefined }
  addEventListener(type: 'storage', listener: (event: StorageEventLike) => void): void
  removeEventListener(type: 'storage', listener: (event: StorageEventLike) => void): void
}

export interface StorageLike {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

export interface StorageEventLike {
  /** null when `localStorage.clear()` removed all keys. */
  readonly key: string | null
}

export interface LocksLike {
  request<T>(name: string, work: () => Promise<T>): Promise<T>
}
