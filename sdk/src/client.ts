import { type CoreClient, type CoreClientOptions, createCoreClient } from './core-client.ts'
import { type CodeLoginUrlOptions, withServerOptions } from './login/login-url.ts'
import { type LoginProvider, requireProviderName } from './login/provider.ts'
import { serverFetch } from './service/connection.ts'
import {
  createDeriveKey,
  createExchange,
  createIdTokens,
  createLink,
  EXCHANGE_ERRORS,
  type ExchangeOptions,
} from './service/exchange.ts'
import { authPathOf, createApiCall, listProviders } from './service/read-response.ts'
import { systemClock } from './service/send.ts'
import { readSettings } from './service/settings.ts'
import { readSession } from './session/read-session.ts'
import type {
  ReadOptions,
  ReadSession,
  RefreshCookiesOptions,
  RefreshTokensOptions,
  RequestInput,
  Session,
  SessionInput,
  SessionOptions,
  TokensInput,
} from './session/session.ts'
import {
  type CookieOptions,
  type SessionCookies,
  sessionCookies,
} from './session/session-cookies.ts'
import {
  cookieStorage,
  type SessionStorage,
  type SessionStore,
  serverStorage,
  withRecentPairs,
} from './session/session-storage.ts'
import type { TokenPair } from './types.ts'

export interface ClientOptions extends Omit<CoreClientOptions, 'baseUrl' | 'tenantId'> {
  /** The address of the service. Default: `GATEHOUSE_URL`, else `base_url` in `.service`. */
  readonly baseUrl?: string | undefined
  /** Default: `GATEHOUSE_TENANT`, else `tenant_id` in `.service`. Neither is secret; the keys in that file are. */
  readonly tenantId?: string | undefined
  readonly cookies?: CookieOptions | undefined
  /**
   * At least 32 random characters, the same in all processes of your app; never a key of the credentials file. With it, a
   * refresh whose response was lost is repeated for 24 hours, by any process, and concurrent processes get the same pair.
   * Changing it costs only the sessions with a lost response. Servers only. Default, unless you give both `baseUrl` and
   * `tenantId`: `GATEHOUSE_SECRET`, also in `.service.secret`, which `init` writes.
   */
  readonly secret?: string | undefined
  /** Keeps the token pairs on your server instead of in cookies; the browser gets a session id. */
  readonly store?: SessionStore | undefined
}

export interface Client extends CoreClient {
  /** The callback of every login, if the options fix one. */
  readonly redirectUri?: string | undefined
  /** The URL that starts a login. Prefer `startLogin`: `handleCallback` then checks that this browser began it. */
  loginUrl(options?: CodeLoginUrlOptions): string
  /** What users can sign in with, for a sign-in page with a button for each. Cache it: it changes rarely. */
  providers(): Promise<LoginProvider[]>
  readonly cookies: SessionCookies
  /** Where the pair of a browser is kept: in its cookies, or in your `store`. */
  readonly storage: SessionStorage
  /** Exchanges the one-time code of a callback for the first pair. `handleCallback` does it for you. */
  exchange(options: ExchangeOptions): Promise<TokenPair>
  /**
   * The session of a request. Reads only, unless you pass `refresh: true` and where the new pair goes: `setCookie` for a
   * request, `onTokens` for tokens. (A `store` needs neither: it can always store the pair.) Throws when the service cannot
   * tell: an outage or a paused tenant is not a sign-out.
   */
  session(input: SessionInput, options?: ReadOptions): Promise<ReadSession>
  session(input: RequestInput, options: RefreshCookiesOptions): Promise<Session>
  session(input: TokensInput, options: RefreshTokensOptions): Promise<Session>
}

/**
 * Create one client per process and reuse it: concurrent refreshes of one token share one request. On a server it needs no
 * arguments: what you leave out is read from the environment, then from the files of `init` in the current folder.
 *
 * @example
 * ```ts
 * import { createClient } from '@gatehouse-auth/sdk'
 *
 * const client = createClient({ baseUrl: 'https://login.example.com', tenantId: 'swift-fox-running-k3qd' })
 * const request = new Request('https://app.example/', { headers: { Cookie: 'gh_access=eyJ' } })
 * const { user } = await client.session(request)
 * console.log(user?.email) // ada@example.com
 * ```
 */
export function createClient(options: ClientOptions = {}): Client {
  const settings = readSettings(options)
  const { secret } = settings
  const deriveKey = secret === undefined ? null : createDeriveKey(secret, settings.tenantId)
  const { send, ...core } = createCoreClient(
    { ...options, ...settings, fetch: serverFetch(options.fetch) },
    deriveKey,
    EXCHANGE_ERRORS,
  )
  const authPath = authPathOf(core.tenantId)
  const call = createApiCall(send, authPath)
  const idToken = createIdTokens(call)
  const link = createLink(call)
  const refresher = withRecentPairs(core.refresh, systemClock)
  const cookies = sessionCookies(settings.tenantId, options.cookies, secret !== undefined)
  const storage = options.store
    ? serverStorage(cookies, options.store, options.cookies?.sessionName)
    : cookieStorage(cookies)
  const session = (
    input: SessionInput,
    given: SessionOptions = {},
  ): Promise<Session | ReadSession> => {
    const verify = (accessToken: string) => core.verify(accessToken, { signal: given.signal })
    return readSession(
      { storage, refresher, clock: systemClock, verify, idToken, link },
      input,
      given,
    )
  }
  return {
    ...core,
    redirectUri: options.redirectUri,
    providers: () => listProviders(send, authPath),
    loginUrl: (given = {}) => {
      requireProviderName(given.provider ?? 'google')
      return withServerOptions(core.loginUrl(given), given)
    },
    exchange: createExchange(call),
    refresh: refresher.refresh,
    cookies,
    storage,
    session: session as Client['session'],
  }
}
