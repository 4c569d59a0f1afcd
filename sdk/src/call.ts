import { UnavailableError, UnexpectedResponseError } from './errors.ts'
import { apiErrorOf, type RawResponse } from './refusal.ts'
import type { Fetch } from './types.ts'

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

export type Call = (act: 'verify' | 'refresh' | 'logout', body: object, options?: CallOptions) => Promise<ApiResponse>

export interface CallerOptions {
  readonly authUrl: string
  readonly fetch: Fetch
  readonly timeoutMs: number
  readonly userAgent: string | null
}

/** One request and its answer: what the service said, or an error that says why it did not. */
export function caller({ authUrl, fetch, timeoutMs, userAgent }: CallerOptions): Call {
  return async (act, body, { signal, idempotencyKey } = {}) => {
    signal?.throwIfAborted()
    const late = AbortSignal.timeout(timeoutMs)
    const raw = await send().catch((cause: unknown) => {
      signal?.throwIfAborted()
      const what = late.aborted ? `did not answer within ${timeoutMs} ms` : 'could not be reached'
      throw new UnavailableError(`The sign-in service ${what}. Try again; if it stays so, check baseUrl.`, {
        reason: late.aborted ? 'timeout' : 'network',
        cause,
      })
    })
    return read(raw)

    async function send(): Promise<RawResponse> {
      const response = await fetch(`${authUrl}/${act}`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json',
          ...(userAgent === null ? {} : { 'User-Agent': userAgent }),
          ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
        },
        body: JSON.stringify(body),
        signal: signal === undefined ? late : AbortSignal.any([late, signal]),
        // A redirect would carry the token to wherever it points.
        redirect: 'manual',
        ...NO_STORE,
      })
      return { status: response.status, headers: response.headers, text: await response.text() }
    }
  }
}

/** Some frameworks cache what `fetch` brings; some runtimes refuse to be told not to. */
const NO_STORE: RequestInit =
  typeof Request !== 'undefined' && 'cache' in Request.prototype ? { cache: 'no-store' } : {}

function read(raw: RawResponse): ApiResponse {
  const { status, headers, text } = raw
  const requestId = headers.get('x-request-id')
  const json = parse(text)
  if (status >= 400) throw apiErrorOf(raw, json)

  const version = headers.get('api-version')
  const problem =
    status !== 200
      ? `with status ${status}: it should answer itself, not send on`
      : version !== null && version !== API_VERSION
        ? `in version ${version} of its API, and this package knows version ${API_VERSION}: update it`
        : json === undefined
          ? 'with something that is not JSON'
          : null
  if (problem === null) return { json, status, requestId }
  throw new UnexpectedResponseError(`baseUrl answered ${problem}. Check that it is the address of the service.`, {
    status,
    requestId,
  })
}

/** undefined when it is not JSON: null is. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
