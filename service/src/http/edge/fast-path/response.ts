import type { ServerResponse } from 'node:http'
import { type Endpoint, HEADERS } from '@gatehouse/contract'
import type { PreparedResponse } from '../../../domain/tokens/access-token-reader.ts'
import { API_HEADERS, baseHeaderList } from '../../headers.ts'
import type { HandledRequest } from '../../router.ts'

export interface FastResponse {
  readonly requestId: string
  readonly status: number
  /** Added to the headers of every response; names and values alternate. */
  readonly headers: readonly string[]
  readonly body: PreparedResponse
}

export type SendFastResponse = (
  res: ServerResponse,
  endpoint: Endpoint,
  started: number,
  response: FastResponse,
) => void

/** Writes responses with the same headers and the same log record as the framework. */
export function fastResponseSender(baseUrl: string, record: (request: HandledRequest) => void): SendFastResponse {
  const constant = [
    ...baseHeaderList(baseUrl),
    ...API_HEADERS,
    ['Vary', 'Origin'],
    ['Content-Type', 'application/json'],
  ]
  // One array is reused for all responses: `writeHead` reads it synchronously, and only entries 1 and 3 change.
  const list = [HEADERS.requestId, '', 'Content-Length', '', ...constant.flat()]
  return (res, endpoint, started, { requestId, status, headers, body }) => {
    list[1] = requestId
    list[3] = body.bytes
    res.writeHead(status, headers.length === 0 ? list : [...list, ...headers])
    res.end(body.text, body.encoding)
    const ms = Math.round((performance.now() - started) * 10) / 10
    const { method, path: route } = endpoint
    record({ requestId, method, route, status, ms, ownedTenantId: undefined })
  }
}

export function prepareResponse(body: object): PreparedResponse {
  const text = JSON.stringify(body)
  const bytes = Buffer.byteLength(text)
  return { text, bytes: String(bytes), encoding: bytes === text.length ? 'latin1' : 'utf8' }
}
