import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Endpoint, HEADERS } from '@gatehouse-auth/contract'
import { isTenantId } from '../../../domain/tenants/tenant-id.ts'
import type { HandledRequest } from '../../dependencies.ts'
import { API_HEADERS, baseHeaderList } from '../../headers.ts'
import { isJsonType } from '../../request/body.ts'

/** An endpoint with one token in its body. */
export type TokenEndpoint = Pick<Endpoint, 'method' | 'path'> & { readonly field: string }

interface TokenRequestReader {
  /**
   * True if the path contains a tenant id, the body is JSON with a small Content-Length, and no header needs the framework:
   * no Origin (CORS), no content or transfer coding, no Expect, no Upgrade.
   */
  matches(req: IncomingMessage): boolean
  tenantIdIn(req: IncomingMessage): string
  /** undefined if the body is anything but one field with a token; the framework then parses it. */
  tokenIn(body: Buffer): string | undefined
  /**
   * Reads the token of a body without spaces, at a third of the cost of `tokenIn`, because it doesn't check the characters.
   * Use it only for a token whose signature is checked next.
   */
  uncheckedTokenIn(body: Buffer): string | undefined
}

export function tokenRequestReader({
  method: endpointMethod,
  path,
  field,
}: TokenEndpoint): TokenRequestReader {
  const [prefix = '', suffix = ''] = path.split(':tenantId')
  const singleField = singleFieldPattern(field)
  const start = `{"${field}":"`
  const tokenIn = (bytes: Buffer): string | undefined =>
    singleField.exec(bytes.toString('latin1'))?.[1]
  const tenantIdIn = (url: string): string => url.slice(prefix.length, -suffix.length)
  return {
    matches: ({ method, url = '', rawHeaders }) =>
      method === endpointMethod &&
      url.startsWith(prefix) &&
      url.endsWith(suffix) &&
      isTenantId(tenantIdIn(url)) &&
      hasOnlySimpleHeaders(rawHeaders),
    tenantIdIn: ({ url = '' }) => tenantIdIn(url),
    tokenIn,
    uncheckedTokenIn(bytes) {
      const text = bytes.toString('latin1')
      return text.startsWith(start) && text.endsWith('"}')
        ? text.slice(start.length, -2)
        : tokenIn(bytes)
    },
  }
}

/** Matches a JSON object with exactly this field, whose value contains token characters only. */
const singleFieldPattern = (name: string): RegExp =>
  new RegExp(
    `^[ \\t\\n\\r]*\\{[ \\t\\n\\r]*"${name}"[ \\t\\n\\r]*:[ \\t\\n\\r]*"([\\w.-]+)"[ \\t\\n\\r]*\\}[ \\t\\n\\r]*$`,
  )

/** Reads a body whose Content-Length is small. If the client disconnects, neither callback runs. */
export function readBody(
  req: IncomingMessage,
  done: (body: Buffer) => void,
  failed: (error: unknown) => void,
): void {
  let body: Buffer | undefined
  req.on('data', (chunk: Buffer) => {
    body = body === undefined ? chunk : Buffer.concat([body, chunk])
  })
  req.on('end', () => {
    // An exception in a stream listener would otherwise be uncaught.
    try {
      done(body ?? Buffer.alloc(0))
    } catch (error) {
      failed(error)
    }
  })
}

const BODY_MAX_BYTES = 8_192

function hasOnlySimpleHeaders(rawHeaders: readonly string[]): boolean {
  let types = 0
  let lengths = 0
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const value = rawHeaders[at + 1] as string
    switch ((rawHeaders[at] as string).toLowerCase()) {
      case 'content-type':
        if (value !== 'application/json' && !isJsonType(value)) {
          return false
        }
        types++
        break
      case 'content-length':
        if (!(Number(value) <= BODY_MAX_BYTES)) {
          return false
        }
        lengths++
        break
      case 'host':
        hosts++
        break
      case 'origin':
      case 'expect':
      case 'upgrade':
      case 'content-encoding':
      case 'transfer-encoding':
        return false
    }
  }
  return types === 1 && lengths === 1 && hosts === 1
}

export interface FastResponse {
  readonly requestId: string
  readonly status: number
  /** Added to the headers of every response; names and values alternate. */
  readonly headers: readonly string[]
  readonly body: PreparedResponse
}

export type SendFastResponse = (
  res: ServerResponse,
  endpoint: TokenEndpoint,
  started: number,
  response: FastResponse,
) => void

/** Writes responses with the same headers and the same log record as the framework. */
export function fastResponseSender(
  baseUrl: string,
  record: (request: HandledRequest) => void,
): SendFastResponse {
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

export interface PreparedResponse {
  readonly text: string
  /** latin1 for ASCII text, which is faster to write. */
  readonly encoding: 'latin1' | 'utf8'
  /** The Content-Length header. */
  readonly bytes: string
}

export function prepareResponse(body: object): PreparedResponse {
  const text = JSON.stringify(body)
  const bytes = Buffer.byteLength(text)
  return { text, bytes: String(bytes), encoding: bytes === text.length ? 'latin1' : 'utf8' }
}
