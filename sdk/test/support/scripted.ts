import { type Client, type ClientOptions, createClient } from '../../src/index.ts'

export interface Sent {
  readonly url: string
  readonly headers: Headers
  readonly body: Readonly<Record<string, unknown>>
}

type Turn = Response | Error | ((signal: AbortSignal) => Promise<Response>)

/** A service that says exactly this, in this order, and the client in front of it. */
export function scripted(
  turns: readonly Turn[],
  options: Partial<ClientOptions> = {},
): { client: Client; sent: Sent[] } {
  const sent: Sent[] = []
  const client = createClient({
    baseUrl: 'https://login.example.com',
    tenantId: 'swift-fox-running-k3qd',
    async fetch(url, init) {
      sent.push({ url, headers: new Headers(init.headers), body: JSON.parse(String(init.body)) })
      const turn = turns[sent.length - 1]
      if (turn === undefined) throw new Error('nothing more was expected')
      if (turn instanceof Error) throw turn
      return typeof turn === 'function' ? turn(init.signal as AbortSignal) : turn
    },
    ...options,
  })
  return { client, sent }
}

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  Response.json(body, { status, headers: { 'API-Version': '1', 'X-Request-Id': 'request-1', ...headers } })

export const apiError = (
  code: string,
  status: number,
  headers: Record<string, string> = {},
  details?: object,
): Response =>
  json(
    { error: { code, message: `It is ${code}.`, retryable: false, request_id: 'request-1', details } },
    status,
    headers,
  )

export const PAIR = { access_token: 'access-2', refresh_token: 'refresh-2' }

/** Takes the request and never answers. */
export const silence = (signal: AbortSignal): Promise<Response> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
