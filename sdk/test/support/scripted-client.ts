import { type Client, type ClientOptions, createClient } from '../../src/index.ts'

export interface Sent {
  readonly url: string
  readonly headers: Headers
  readonly body: Readonly<Record<string, unknown>>
}

type ScriptedResponse = Response | Error | ((signal: AbortSignal) => Promise<Response>)

/** A client whose requests get these responses, in this order, and a record of the requests. */
export function createScriptedClient(
  responses: readonly ScriptedResponse[],
  options: Partial<ClientOptions> = {},
): { client: Client; sent: Sent[] } {
  const sent: Sent[] = []
  const client = createClient({
    baseUrl: 'https://login.example.com',
    tenantId: 'swift-fox-running-k3qd',
    async fetch(url, init) {
      sent.push({
        url,
        headers: new Headers(init.headers),
        body: JSON.parse(String(init.body ?? '{}')),
      })
      const response = responses[sent.length - 1]
      if (response === undefined) {
        throw new Error('unexpected request')
      }
      if (response instanceof Error) {
        throw response
      }
      return typeof response === 'function' ? response(init.signal as AbortSignal) : response
    },
    ...options,
  })
  return { client, sent }
}

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  Response.json(body, {
    status,
    headers: { 'API-Version': '1', 'X-Request-Id': 'request-1', ...headers },
  })

export const apiError = (
  code: string,
  status: number,
  headers: Record<string, string> = {},
  details?: object,
): Response =>
  json(
    {
      error: {
        code,
        message: `It is ${code}.`,
        retryable: false,
        request_id: 'request-1',
        details,
      },
    },
    status,
    headers,
  )

export const PAIR = { access_token: 'access-2', refresh_token: 'refresh-2' }

/** Never responds; rejects when the request is aborted. */
export const neverResponds = (signal: AbortSignal): Promise<Response> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
