import { readSuccess, readVerification } from './answers.ts'
import { caller } from './call.ts'
import { InvalidRefreshTokenError } from './errors.ts'
import { type LoginUrlOptions, loginUrl } from './login-url.ts'
import { type RefreshOptions, refresher } from './refresher.ts'
import { type Patience, patiently, realTiming } from './retry.ts'
import { readSession, type Session, type SessionInput } from './session.ts'
import { type CookieOptions, type SessionCookies, sessionCookies } from './session-cookies.ts'
import type { Fetch, TokenPair, Verification } from './types.ts'

export interface ClientOptions {
  /** The address of the service, `base_url` in your credentials file. */
  readonly baseUrl: string
  /** `tenant_id` in your credentials file. Neither of the two is a secret; the keys in that file are, and stay there. */
  readonly tenantId: string
  /** Your callback's whole address, when several are registered or they hold a `*`. Without it: the first registered. */
  readonly redirectUri?: string
  readonly cookies?: CookieOptions
  readonly fetch?: Fetch
  /** How long one request may take. Default 5 seconds. */
  readonly timeoutMs?: number
  /**
   * The same for all processes of your app: by it the service tells two of them at the same moment from a thief.
   * Default `gatehouse-sdk/1`; in browsers none, because they have their own.
   */
  readonly userAgent?: string | null
}

export interface Client {
  readonly baseUrl: string
  readonly tenantId: string
  readonly cookies: SessionCookies
  /** Send a person there to sign in. In a server, prefer `startLogin`: it adds the guard that `handleCallback` checks. */
  loginUrl(options?: LoginUrlOptions): string
  verify(accessToken: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<Verification>
  /** Trades the refresh token for a new pair. The old pair stops working at once. */
  refresh(refreshToken: string, options?: RefreshOptions): Promise<TokenPair>
  /** Ends the session. Also succeeds when it has already ended. */
  logout(refreshToken: string): Promise<void>
  /** Who is asking? Throws when that cannot be known now: an outage or a pause is not a sign-out. */
  session(input: SessionInput, options?: { readonly signal?: AbortSignal | undefined }): Promise<Session>
}

const TENANT_ID = /^(?=.{1,64}$)[a-z0-9]+(-[a-z0-9]+)+$/
const USER_AGENT = /^[\x20-\x7e]{1,200}$/

/** Longer than any token of ours. What is longer is not sent anywhere to find out. */
const TOKEN_MAX_CHARACTERS = 8_192

/** Asking twice costs nothing: a connection that was closed meanwhile is the usual reason. */
const ONCE_MORE: Patience = { attempts: 2, withinMs: 10_000, waitAtMostMs: 1_000, afterTimeout: false }

/**
 * Make one and keep it: it shares refreshes among all who use it.
 *
 * ```ts
 * import { createClient } from '@gatehouse/sdk'
 *
 * const client = createClient({ baseUrl: 'https://login.example.com', tenantId: 'swift-fox-running-k3qd' })
 * const { user, setCookies } = await client.session(request)
 * ```
 */
export function createClient(options: ClientOptions): Client {
  const { tenantId, timeoutMs = 5_000, userAgent = defaultUserAgent() } = options
  const baseUrl = readBaseUrl(options.baseUrl)
  if (!TENANT_ID.test(tenantId)) {
    throw new TypeError('tenantId must be the tenant_id of your credentials file, such as "swift-fox-running-k3qd".')
  }
  if (!(timeoutMs > 0 && timeoutMs <= 60_000)) throw new TypeError('timeoutMs must be more than 0 and at most 60000.')
  if (userAgent !== null && !USER_AGENT.test(userAgent))
    throw new TypeError('userAgent must be one line of ASCII text.')

  const authUrl = `${baseUrl}/edge/auth/${tenantId}`
  // Looked up at each call: frameworks and tests put their own in its place.
  const fetch: Fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init))
  const call = caller({ authUrl, fetch, timeoutMs, userAgent })
  const cookies = sessionCookies(options.cookies)
  const refreshes = refresher(call, realTiming)

  const client: Client = {
    baseUrl,
    tenantId,
    cookies,
    loginUrl: (asked = {}) => loginUrl(authUrl, { redirectUri: options.redirectUri, ...asked }),
    async verify(accessToken, { signal } = {}) {
      if (tooLong(accessToken, 'accessToken')) return { valid: false }
      const body = { access_token: accessToken }
      return readVerification(await patiently(ONCE_MORE, realTiming, () => call('verify', body, { signal })))
    },
    async refresh(refreshToken, asked) {
      if (tooLong(refreshToken, 'refreshToken')) throw new InvalidRefreshTokenError('This is not a refresh token.')
      return refreshes.refresh(refreshToken, asked)
    },
    async logout(refreshToken) {
      if (tooLong(refreshToken, 'refreshToken')) return
      readSuccess(await patiently(ONCE_MORE, realTiming, () => call('logout', { refresh_token: refreshToken })))
    },
    session: (input, asked) =>
      readSession(
        {
          cookies,
          refresher: { ...refreshes, refresh: client.refresh },
          verify: (accessToken) => client.verify(accessToken, asked),
        },
        input,
      ),
  }
  return client
}

function tooLong(token: string, name: string): boolean {
  if (typeof token !== 'string') throw new TypeError(`${name} must be a string.`)
  return token.length > TOKEN_MAX_CHARACTERS
}

function readBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null
  const isFastPathRequest =
    url !== null && url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if (url === null || !isFastPathRequest || !/^https?:$/.test(url.protocol)) {
    throw new TypeError('baseUrl must be the address of the service, such as "https://login.example.com".')
  }
  return url.href.replace(/\/+$/, '')
}

/** A browser names itself, and would ask the service for leave to send another name. */
const defaultUserAgent = (): string | null => ('document' in globalThis ? null : 'gatehouse-sdk/1')
