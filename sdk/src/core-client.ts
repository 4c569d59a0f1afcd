import { type LoginUrlOptions, loginUrl } from './login/login-url.ts'
import { API_ERRORS, type ErrorClasses } from './service/api-errors.ts'
import { readConnection } from './service/connection.ts'
import { InvalidRefreshTokenError } from './service/errors.ts'
import type { DeriveKey } from './service/exchange.ts'
import {
  authPathOf,
  createApiCall,
  readSuccess,
  readVerification,
} from './service/read-response.ts'
import { createRefresh, type RefreshOptions } from './service/refresher.ts'
import { createSend, RETRY_ONCE, type Send, systemClock, withRetry } from './service/send.ts'
import type { Fetch, TokenPair, Verification } from './types.ts'

/** What servers and browsers need alike. */
export interface CoreClientOptions {
  /** The address of the service, `base_url` in your credentials file. */
  readonly baseUrl: string
  /** `tenant_id` in your credentials file. `baseUrl` and `tenantId` are not secret; the keys in that file are. */
  readonly tenantId: string
  /**
   * The absolute URL of your callback, for every login. Default: an adapter returns users to the address where they began;
   * elsewhere the first registered callback. Set it if a proxy replaces the `Host` header by its own.
   */
  readonly redirectUri?: string | undefined
  readonly fetch?: Fetch | undefined
  /** Timeout of one request. Default 5 seconds. */
  readonly timeoutMs?: number | undefined
}

/** The calls of the service, without cookies. */
export interface CoreClient {
  readonly baseUrl: string
  readonly tenantId: string
  /** The URL that starts a login. In a server, prefer `startLogin`: `handleCallback` then checks that this browser began it. */
  loginUrl(options?: LoginUrlOptions): string
  verify(
    accessToken: string,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<Verification>
  /** Exchanges the refresh token for a new pair. The old pair stops working at once. */
  refresh(refreshToken: string, options?: RefreshOptions): Promise<TokenPair>
  /** Ends the session. Idempotent: an unknown or already ended token also succeeds. */
  logout(refreshToken: string): Promise<void>
}

const TENANT_ID = /^(?=.{1,64}$)[a-z0-9]+(-[a-z0-9]+)+$/

/** Longer than any token. Longer strings are invalid without a request. */
const TOKEN_MAX_CHARACTERS = 8_192

/** `errors`: the classes by error code, if the client calls more than verify, refresh and logout. */
export function createCoreClient(
  options: CoreClientOptions,
  deriveKey: DeriveKey | null = null,
  errors: ErrorClasses = API_ERRORS,
): CoreClient & { readonly send: Send } {
  const { tenantId } = options
  const connection = readConnection(options, 5_000)
  const { baseUrl } = connection
  if (!TENANT_ID.test(tenantId)) {
    throw new TypeError(
      'tenantId must be the tenant_id of your credentials file, such as "swift-fox-running-k3qd".',
    )
  }

  const authPath = authPathOf(tenantId)
  const send = createSend(connection, errors)
  const call = createApiCall(send, authPath)
  const refresh = createRefresh(call, systemClock, deriveKey)

  return {
    baseUrl,
    tenantId,
    send,
    loginUrl: (given = {}) =>
      loginUrl(baseUrl + authPath, { redirectUri: options.redirectUri, ...given }),
    async verify(accessToken, { signal } = {}) {
      if (isTooLong(accessToken, 'accessToken')) {
        return { valid: false }
      }
      const body = { access_token: accessToken }
      return readVerification(
        await withRetry(RETRY_ONCE, systemClock, () => call('verify', body, { signal })),
      )
    },
    async refresh(refreshToken, given) {
      if (isTooLong(refreshToken, 'refreshToken')) {
        throw new InvalidRefreshTokenError('This is not a refresh token.')
      }
      return refresh(refreshToken, given)
    },
    async logout(refreshToken) {
      if (isTooLong(refreshToken, 'refreshToken')) {
        return
      }
      readSuccess(
        await withRetry(RETRY_ONCE, systemClock, () =>
          call('logout', { refresh_token: refreshToken }),
        ),
      )
    },
  }
}

function isTooLong(token: string, name: string): boolean {
  if (typeof token !== 'string') {
    throw new TypeError(`${name} must be a string.`)
  }
  return token.length > TOKEN_MAX_CHARACTERS
}
