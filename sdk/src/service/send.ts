import { parseJson } from '../encoding.ts'
import type { IssuedIdToken } from '../types.ts'
import { apiErrorOf, type ErrorClasses } from './api-errors.ts'
import type { Connection } from './connection.ts'
import { RateLimitedError, UnavailableError, UnexpectedResponseError } from './errors.ts'

const API_VERSION = '1'

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With the query. */
  readonly path: string
  /** JSON, unless `headers` has another `Content-Type`. */
  readonly body?: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  /** Default: after the `timeoutMs` of the client. */
  readonly timeout?: AbortSignal
  /** Leaves the body of a successful response unread. */
  readonly isStream?: boolean
}

export interface ApiResponse {
  /** An empty object for a stream. */
  readonly json: unknown
  readonly response: Response
}

export type Send = (request: ApiRequest) => Promise<ApiResponse>

/** Sends one request without retries. Resolves with a successful response; everything else is a `GatehouseError`. */
export function createSend(connection: Connection, errors: ErrorClasses): Send {
  return async (request) => {
    const { response, text } = await exchange(connection, request)
    const json = parseJson(text)
    if (response.status >= 400) {
      throw apiErrorOf(response, json, errors)
    }
    if (!response.ok) {
      throw unexpected(response, `with status ${response.status} instead of 200`)
    }

    const version = response.headers.get('api-version') ?? API_VERSION
    if (version !== API_VERSION) {
      throw unexpected(
        response,
        `with API version ${version}; this package supports version ${API_VERSION} and needs an update`,
      )
    }
    if (json === undefined) {
      throw unexpected(response, 'with a body that is not JSON')
    }
    return { json, response }
  }
}

/** The response with its body, whatever its status is. Throws the reason of the caller's signal, or `UnavailableError`. */
async function exchange(
  { baseUrl, fetch, timeoutMs }: Connection,
  request: ApiRequest,
): Promise<{ response: Response; text: string }> {
  const { method, path, body = null, headers, signal, isStream } = request
  signal?.throwIfAborted()
  const timeout = request.timeout ?? AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(baseUrl + path, {
      method,
      headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...headers },
      body: body as string | Uint8Array<ArrayBuffer> | null,
      signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
      // Following a redirect would send the token or the key to another address.
      redirect: 'manual',
    })
    return { response, text: isStream && response.ok ? '{}' : await response.text() }
  } catch (cause) {
    signal?.throwIfAborted()
    const failure = timeout.aborted
      ? `did not respond within ${timeoutMs} ms`
      : 'could not be reached'
    throw new UnavailableError(
      `The sign-in service ${failure}. Try again; if this persists, check baseUrl.`,
      {
        reason: timeout.aborted ? 'timeout' : 'network',
        cause,
      },
    )
  }
}

/** The response of something that is not this service, or of another version. */
export const unexpected = (
  { status, headers }: Response,
  problem: string,
): UnexpectedResponseError =>
  new UnexpectedResponseError(
    `baseUrl responded ${problem}. Check that it is the address of the service.`,
    {
      status,
      requestId: headers.get('x-request-id'),
    },
  )

export interface RetryPolicy {
  /** Including the first attempt. */
  readonly maxAttempts: number
  /** No attempt starts later than this after the first one. */
  readonly budgetMs: number
  /** A longer `Retry-After` is not waited for: the error is thrown. */
  readonly maxRetryAfterMs: number
  readonly retryTimeouts: boolean
}

/** For idempotent calls. One retry covers the usual failure, a keep-alive connection closed by the server. */
export const RETRY_ONCE: RetryPolicy = {
  maxAttempts: 2,
  budgetMs: 10_000,
  maxRetryAfterMs: 1_000,
  retryTimeouts: false,
}

export interface Clock {
  now(): number
  sleep(ms: number): Promise<void>
}

export const systemClock: Clock = {
  // Monotonic. Next.js reports `Date.now()` in a page as an error, because its value differs between prerenderings.
  now: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}

const FIRST_BACKOFF_MS = 200

/** Retries `UnavailableError` and `RateLimitedError` by the policy, then throws the last error. */
export async function withRetry<T>(
  policy: RetryPolicy,
  clock: Clock,
  send: () => Promise<T>,
): Promise<T> {
  const started = clock.now()
  for (let attempt = 1; ; attempt++) {
    try {
      return await send()
    } catch (error) {
      const delay = retryDelay(error, attempt, policy)
      const isExhausted =
        attempt >= policy.maxAttempts || clock.now() + (delay ?? 0) - started > policy.budgetMs
      if (delay === null || isExhausted) {
        throw error
      }
      await clock.sleep(delay)
    }
  }
}

/** Milliseconds until the next attempt; null when the error is not to be retried. */
function retryDelay(error: unknown, attempt: number, policy: RetryPolicy): number | null {
  if (!(error instanceof UnavailableError || error instanceof RateLimitedError)) {
    return null
  }
  if (error instanceof UnavailableError && error.reason === 'timeout' && !policy.retryTimeouts) {
    return null
  }
  const retryAfterMs = error.retryAfterSeconds === null ? null : error.retryAfterSeconds * 1_000
  if (retryAfterMs !== null && retryAfterMs > policy.maxRetryAfterMs) {
    return null
  }
  if (retryAfterMs === null && error instanceof RateLimitedError) {
    return null
  }
  // Jitter, so that clients that failed together do not retry together.
  const backoff = FIRST_BACKOFF_MS * 3 ** (attempt - 1) * (0.75 + Math.random() / 2)
  return Math.max(retryAfterMs ?? 0, backoff)
}

/** A token is not handed out in its last minute: it would expire on the way. */
const LAST_SECONDS = 60
const KEPT_MAX = 1_000

interface Shared {
  readonly issued: Promise<IssuedIdToken>
  readonly started: number
  until: number
}

/** Shares one request among concurrent calls with the same key, and its token among later ones. */
export function shareIdTokens(
  clock: Pick<Clock, 'now'> = systemClock,
): (key: string, load: () => Promise<IssuedIdToken>) => Promise<IssuedIdToken> {
  const kept = new Map<string, Shared>()
  const load = (key: string, request: () => Promise<IssuedIdToken>): Shared => {
    if (kept.size >= KEPT_MAX) {
      kept.clear()
    }
    const shared: Shared = {
      issued: request(),
      started: clock.now(),
      until: Number.POSITIVE_INFINITY,
    }
    kept.set(key, shared)
    shared.issued.then(
      ({ expiresIn }) => (shared.until = shared.started + (expiresIn - LAST_SECONDS) * 1_000),
      () => (shared.until = 0),
    )
    return shared
  }
  return async (key, request) => {
    const known = kept.get(key)
    const { issued, started } =
      known !== undefined && clock.now() < known.until ? known : load(key, request)
    const { idToken, expiresIn } = await issued
    return { idToken, expiresIn: expiresIn - Math.ceil((clock.now() - started) / 1_000) }
  }
}
