import { parseJson } from '../json.ts'
import { apiErrorOf, type ErrorClasses } from './api-errors.ts'
import type { Connection } from './connection.ts'
import { UnavailableError, UnexpectedResponseError } from './errors.ts'

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
export function createSend({ baseUrl, fetch, timeoutMs }: Connection, errors: ErrorClasses): Send {
  return async (request) => {
    const { method, path, body = null, headers, signal, isStream } = request
    signal?.throwIfAborted()
    const timeout = request.timeout ?? AbortSignal.timeout(timeoutMs)
    let response: Response
    let text: string
    try {
      response = await fetch(baseUrl + path, {
        method,
        headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...headers },
        body: body as string | Uint8Array<ArrayBuffer> | null,
        signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
        // Following a redirect would send the token or the key to another address.
        redirect: 'manual',
      })
      text = isStream && response.ok ? '{}' : await response.text()
    } catch (cause) {
      signal?.throwIfAborted()
      const failure = timeout.aborted ? `did not respond within ${timeoutMs} ms` : 'could not be reached'
      throw new UnavailableError(`The sign-in service ${failure}. Try again; if this persists, check baseUrl.`, {
        reason: timeout.aborted ? 'timeout' : 'network',
        cause,
      })
    }
    const json = parseJson(text)
    if (response.status >= 400) throw apiErrorOf(response, json, errors)
    const version = response.headers.get('api-version')
    const problem = !response.ok
      ? `with status ${response.status} instead of 200`
      : (version ?? API_VERSION) !== API_VERSION
        ? `with API version ${version}; this package supports version ${API_VERSION} and needs an update`
        : json === undefined
          ? 'with a body that is not JSON'
          : null
    if (problem === null) return { json, response }
    throw unexpected(response, problem)
  }
}

/** The response of something that is not this service, or of another version. */
export const unexpected = ({ status, headers }: Response, problem: string): UnexpectedResponseError =>
  new UnexpectedResponseError(`baseUrl responded ${problem}. Check that it is the address of the service.`, {
    status,
    requestId: headers.get('x-request-id'),
  })
