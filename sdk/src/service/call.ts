import { parseJson } from '../json.ts'
import type { Fetch } from '../types.ts'
import { apiErrorOf, type ErrorClasses, type RawResponse } from './api-errors.ts'
import { UnavailableError, UnexpectedResponseError } from './errors.ts'

const API_VERSION = '1'

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  readonly idempotencyKey?: string
}

export interface ApiResponse {
  readonly json: unknown
  readonly status: number
  readonly requestId: string | null
}

export type ApiCall = (
  operation: 'token' | 'verify' | 'refresh' | 'logout',
  body: object,
  options?: CallOptions,
) => Promise<ApiResponse>

export interface ApiCallOptions {
  readonly authUrl: string
  readonly fetch: Fetch
  readonly timeoutMs: number
  readonly errors: ErrorClasses
}

/** Sends one request without retries. Resolves with a successful response; everything else is a `GatehouseError`. */
export function createApiCall({ authUrl, fetch, timeoutMs, errors }: ApiCallOptions): ApiCall {
  return async (operation, body, { signal, idempotencyKey } = {}) => {
    signal?.throwIfAborted()
    const timeout = AbortSignal.timeout(timeoutMs)
    const raw = await send().catch((cause: unknown) => {
      signal?.throwIfAborted()
      const failure = timeout.aborted ? `did not respond within ${timeoutMs} ms` : 'could not be reached'
      throw new UnavailableError(`The sign-in service ${failure}. Try again; if this persists, check baseUrl.`, {
        reason: timeout.aborted ? 'timeout' : 'network',
        cause,
      })
    })
    return read(raw, errors)

    async function send(): Promise<RawResponse> {
      const response = await fetch(`${authUrl}/${operation}`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json',
          ...USER_AGENT,
          ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
        },
        body: JSON.stringify(body),
        signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
        // Following a redirect would send the token to another address.
        redirect: 'manual',
        ...NO_STORE,
      })
      return { status: response.status, headers: response.headers, text: await response.text() }
    }
  }
}

/** For the operator's log. None in browsers: a custom `User-Agent` would need a CORS preflight. */
const USER_AGENT: Record<string, string> = 'document' in globalThis ? {} : { 'User-Agent': 'gatehouse-sdk/1' }

/** Some frameworks cache `fetch` responses. Some runtimes throw on the `cache` option, so it is set only where it exists. */
const NO_STORE: RequestInit =
  typeof Request !== 'undefined' && 'cache' in Request.prototype ? { cache: 'no-store' } : {}

function read(raw: RawResponse, errors: ErrorClasses): ApiResponse {
  const { status, headers, text } = raw
  const requestId = headers.get('x-request-id')
  const json = parseJson(text)
  if (status >= 400) throw apiErrorOf(raw, json, errors)

  const version = headers.get('api-version')
  const problem =
    status !== 200
      ? `with status ${status} instead of 200`
      : version !== null && version !== API_VERSION
        ? `with API version ${version}; this package supports version ${API_VERSION} and needs an update`
        : json === undefined
          ? 'with a body that is not JSON'
          : null
  if (problem === null) return { json, status, requestId }
  throw new UnexpectedResponseError(`baseUrl responded ${problem}. Check that it is the address of the service.`, {
    status,
    requestId,
  })
}
