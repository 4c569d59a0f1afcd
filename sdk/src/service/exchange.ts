import { recordOf, toBase64Url } from '../encoding.ts'
import type { IssuedIdToken, TokenPair } from '../types.ts'
import { API_ERRORS, type ErrorClasses } from './api-errors.ts'
import { requireServer } from './connection.ts'
import { IdTokensOffError, InvalidAccessTokenError, InvalidCodeError } from './errors.ts'
import { type ApiCall, mismatch, readIdToken, readPair } from './read-response.ts'
import { RETRY_ONCE, type RetryPolicy, shareIdTokens, systemClock, withRetry } from './send.ts'

/** Apart from the others: pages without a server have no codes and mostly no ID tokens, and load less. */
export const EXCHANGE_ERRORS = {
  ...API_ERRORS,
  invalidCode: InvalidCodeError,
  // The callback URL is no longer registered: the code cannot be exchanged.
  invalidRedirectUri: InvalidCodeError,
  // Only without an Idempotency-Key: the code may be used.
  outcomeUnknown: InvalidCodeError,
  invalidAccessToken: InvalidAccessTokenError,
  idTokensOff: IdTokensOffError,
} as const satisfies ErrorClasses

/** The user waits, and the service repeats the response of a key for 60 s. */
const RETRY: RetryPolicy = {
  maxAttempts: 3,
  budgetMs: 15_000,
  maxRetryAfterMs: 3_000,
  retryTimeouts: true,
}

export interface ExchangeOptions {
  readonly code: string
  readonly verifier: string
  /** 8 to 128 visible ASCII characters. A retry with the same key gets the same pair; with another, the session ends. */
  readonly idempotencyKey: string
}

export const createExchange =
  (call: ApiCall) =>
  async ({ code, verifier, idempotencyKey }: ExchangeOptions): Promise<TokenPair> =>
    readPair(
      await withRetry(RETRY, systemClock, () =>
        call(
          'token',
          { code, code_verifier: verifier },
          { headers: { 'Idempotency-Key': idempotencyKey } },
        ),
      ),
    )

/** For sessions on a server, and for pages. */
export type IdTokenFor = (accessToken: string, audience?: string) => Promise<IssuedIdToken>

export function createIdTokens(call: ApiCall): IdTokenFor {
  const shared = shareIdTokens()
  return (accessToken, audience) =>
    shared(`${audience ?? ''} ${accessToken}`, async () => {
      const body = { access_token: accessToken, audience }
      const response = await withRetry(RETRY_ONCE, systemClock, () => call('id-token', body))
      const issued = readIdToken(response.json)
      if (issued === null) {
        throw mismatch(response)
      }
      return issued
    })
}

/** The URL with which the user of an access token adds an account at another provider. */
export const createLink =
  (call: ApiCall) =>
  async (
    accessToken: string,
    provider: string,
    options: { readonly redirectUri?: string | undefined } = {},
  ) => {
    const response = await call('link', {
      access_token: accessToken,
      provider,
      redirect_uri: options.redirectUri,
    })
    const { link_url: url } = recordOf(response.json)
    if (typeof url !== 'string') {
      throw mismatch(response)
    }
    return url
  }

/** Derives the `Idempotency-Key` of a refresh. */
export type DeriveKey = (bind: string, refreshToken: string) => Promise<string>

const MIN_CHARACTERS = 32
const TENANT_KEY = /^svc_(?:man|app)_/

/** As `CryptoKey`, which is no type in `@types/node` 24. */
type HmacKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/**
 * `gh1_` + base64url(HMAC-SHA-256(secret, tenant ‖ 0 ‖ bind ‖ 0 ‖ refresh token)).
 *
 * Every process of an app derives the same key, so the service can repeat a response that was lost. `bind` is a cookie of
 * this browser that is never in a URL: without it, a refresh token leaked by a URL or a log, planted as a cookie in another
 * browser, would make the app derive the right key.
 */
export function createDeriveKey(secret: string, tenantId: string): DeriveKey {
  checkSecret(secret)
  const encoder = new TextEncoder()
  // The key, not the promise: workers cannot await a promise of another request.
  let hmacKey: HmacKey | undefined
  return async (bind, refreshToken) => {
    hmacKey ??= await crypto.subtle.importKey(
      'raw',
      encoder.encode(secret),
      { name: 'HMAC', hash: 'SHA-256' },
      false,
      ['sign'],
    )
    const mac = await crypto.subtle.sign(
      'HMAC',
      hmacKey,
      encoder.encode(`${tenantId}\0${bind}\0${refreshToken}`),
    )
    return `gh1_${toBase64Url(new Uint8Array(mac))}`
  }
}

function checkSecret(secret: string): void {
  requireServer('secret')
  if (typeof secret !== 'string' || secret.length < MIN_CHARACTERS) {
    throw new TypeError(
      `secret must have at least ${MIN_CHARACTERS} characters. Generate one: openssl rand -base64 32`,
    )
  }
  if (TENANT_KEY.test(secret)) {
    throw new TypeError(
      'secret must be a value of its own, not a key of your credentials file: your app never needs those.',
    )
  }
}
