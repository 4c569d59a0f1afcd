import type { ServerResponse } from 'node:http'
import { type Endpoint, HEADERS } from '@gatehouse/contract'
import type { PreparedResponse } from '../../../domain/tokens/access-token-reader.ts'
import { API_HEADERS, baseHeaderList } from '../../headers.ts'
import type { HandledRequest } from '../../router.ts'

export interface FastResponse {
  readonly requestId: string
  readonly status: number
  /** Beside those of every answer; names and values in turn. */
  readonly headers: readonly string[]
  readonly body: PreparedResponse
}

export type SendFastResponse = (res: ServerResponse, endpoint: Endpoint, started: number, handle: FastResponse) => void

/** Answers with the headers that the framework's answers have, and is recorded as they are. */
export function fastResponseSender(baseUrl: string, record: (request: HandledRequest) => void): SendFastResponse {
  const constant = [
    ...baseHeaderList(baseUrl),
    ...API_HEADERS,
    ['Vary', 'Origin'],
    ['Content-Type', 'application/json'],
  ]
  // One list for all answers: it is read before `writeHead` returns, and only these two values ever change.
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
