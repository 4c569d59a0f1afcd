import { MCP_BODY_MAX_BYTES, type ToolDefinition } from '@gatehouse-auth/contract'
import type { StatusCode } from 'hono/utils/http-status'
import { ApiError, Unavailable } from '../../domain/api-error.ts'
import { mcpResource } from '../../domain/oauth/grant.ts'
import { requestAddressKey } from '../callers/author.ts'
import type { App, Call, HttpDependencies } from '../dependencies.ts'
import { memoize } from '../discovery/publish.ts'
import { isJsonType, readJsonBody, SLOW_BODY_MS, TooManyValues } from '../request/body.ts'
import { authenticateCaller, type Caller, lacksScope } from './caller.ts'
import { allowCrossOrigin, allowsOrigin } from './cors.ts'
import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  insufficientScope,
  invalidToken,
  PARSE_ERROR,
  type RpcId,
  rpcError,
  signInRequired,
  unavailable,
} from './error-responses.ts'
import { scrubText } from './scrub.ts'
import type { Exchange, HandleMessage } from './server.ts'
import type { ToolCall } from './tool.ts'
import { toolNamed } from './tools.ts'

const MCP_PATH = '/mcp'

/**
 * The hosted MCP server. The checks run in this order, and each can reject the request: method, Origin, media type,
 * authentication, message, scope.
 */
export function mcpRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps
  const { baseUrl } = ctx
  // Loaded on the first request, because the MCP library is a tenth of the code that a start would load.
  const protocol = memoize(loadProtocol)

  // Some clients append a slash.
  app.on('ALL', [MCP_PATH, `${MCP_PATH}/`], async (c) => {
    c.set('route', MCP_PATH)
    c.header('Cache-Control', 'no-store')
    allowCrossOrigin(c, baseUrl)
    try {
      return await handleRequest(c)
    } catch (error) {
      return failed(c, error, null)
    }
  })

  async function handleRequest(c: Call): Promise<Response> {
    const rejected = checkTransport(c, baseUrl)
    if (rejected !== null) {
      return rejected
    }

    const began = ctx.now()
    const caller = await authenticate(c)
    if (caller instanceof Response) {
      return caller
    }

    const body = await readMessage(c)
    if (body instanceof Response) {
      return body
    }

    // The credential may have ended while a slow body arrived.
    const current = ctx.now() - began > SLOW_BODY_MS ? await authenticate(c) : caller
    return current instanceof Response ? current : dispatch(c, current, body)
  }

  async function authenticate(c: Call): Promise<Caller | Response> {
    try {
      const caller = await authenticateCaller(ctx, c.req.header('authorization'))
      const mustSignIn = caller.kind === 'public' && c.req.query('login') !== undefined
      return mustSignIn ? signInRequired(c, baseUrl) : caller
    } catch (error) {
      if (error instanceof ApiError) {
        return invalidToken(c, baseUrl, error)
      }
      throw error
    }
  }

  async function dispatch(c: Call, caller: Caller, body: object): Promise<Response> {
    const tool = calledTool(body)
    // 403 in HTTP, so that the client can request the missing scope (RFC 6750, section 3.1). `callTool` enforces it again.
    if (tool !== undefined && tool.scope !== null && lacksScope(caller, tool)) {
      return insufficientScope(c, baseUrl, tool.scope)
    }
    const call: ToolCall = {
      ctx,
      caller,
      addressKey: requestAddressKey(deps, c),
      requestId: c.get('requestId'),
      recordTenant: (tenant) => tenant.owner !== null && c.set('ownedTenantId', tenant.id),
    }
    const handleMessage = await protocol()
    const exchange: Exchange = { call, failure: undefined }
    const request = protocolRequest(c, baseUrl)
    const response = await handleMessage(request, protocolMessage(body), exchange)
    if (exchange.failure !== undefined) {
      return failed(c, exchange.failure, idOf(body))
    }
    return respond(c, response, methodOf(body))
  }

  async function respond(c: Call, response: Response, method: unknown): Promise<Response> {
    const status = response.status as StatusCode
    const headers = Object.fromEntries(response.headers)
    // The only response that isn't JSON is the stream of subscriptions/listen, which has no end to wait for.
    if (!isJsonType(response.headers.get('content-type') ?? '')) {
      return c.newResponse(response.body, status, headers)
    }
    const text = await response.text()
    return c.newResponse(shortError(text, method), status, headers)
  }

  function failed(c: Call, error: unknown, id: RpcId): Response {
    ctx.log.error(`${c.get('requestId')} ${MCP_PATH}: a call failed`, error)
    if (error instanceof Unavailable) {
      return unavailable(c, error, id)
    }
    const message = `We made a mistake. Tell the operator this request id: ${c.get('requestId')}`
    return rpcError(c, 500, INTERNAL_ERROR, message, id)
  }
}

async function loadProtocol(): Promise<HandleMessage> {
  const { mcpProtocol } = await import('./server.ts')
  return mcpProtocol()
}

/** Method, origin and media type; null: the message may be read. */
function checkTransport(c: Call, baseUrl: string): Response | null {
  const origin = c.req.header('origin')
  const isForbiddenOrigin = origin !== undefined && !allowsOrigin(origin, baseUrl)
  if (c.req.method === 'OPTIONS') {
    return c.body(null, isForbiddenOrigin ? 403 : 204)
  }

  // Checked before authentication: a 401 on GET would make clients sign in for an event stream that does not exist.
  if (c.req.method !== 'POST') {
    c.header('Allow', 'POST, OPTIONS')
    return invalidRequest(c, 405, 'This endpoint takes POST. There are no streams or sessions.')
  }

  // Prevents calls from foreign web pages (MCP, Streamable HTTP, Security Warning). The server has checked Host.
  if (isForbiddenOrigin) {
    return invalidRequest(c, 403, 'Pages of this origin may not call here.')
  }

  if (!isJsonType(c.req.header('content-type') ?? '')) {
    return invalidRequest(c, 415, 'Send the message as Content-Type: application/json.')
  }
  return null
}

const invalidRequest = (c: Call, status: 400 | 403 | 405 | 413 | 415, message: string): Response =>
  rpcError(c, status, INVALID_REQUEST, message)

/** Several times what a client sends. The library validates each one, and 2,000 wrong ones took it 23 ms. */
const VALUES_MAX = 500

/**
 * Reads one JSON-RPC message, or returns the error response. Prevents a scope bypass: a batch is rejected, because the checks
 * look at one message only (MCP 2025-06-18 removed batching).
 */
async function readMessage(c: Call): Promise<object | Response> {
  try {
    const body = await readJsonBody(c, MCP_BODY_MAX_BYTES, VALUES_MAX)
    if (body === undefined) {
      return rpcError(c, 400, PARSE_ERROR, 'There is no message in the body.')
    }
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
      return body
    }
    return invalidRequest(c, 400, 'Send one JSON-RPC message, not a batch of them.')
  } catch (error) {
    if (!(error instanceof ApiError)) {
      throw error
    }
    if (error.code === 'bodyTooLarge') {
      return invalidRequest(c, 413, error.message)
    }
    if (error.code === 'unsupportedMediaType') {
      return invalidRequest(c, 415, error.message)
    }
    const code = error instanceof TooManyValues ? INVALID_PARAMS : PARSE_ERROR
    return rpcError(c, 400, code, error.message)
  }
}

/** The tool that a message calls; undefined for other messages and unknown tools. */
function calledTool(body: object): ToolDefinition | undefined {
  const { method, params } = body as { method?: unknown; params?: { name?: unknown } }
  if (method !== 'tools/call' || typeof params?.name !== 'string') {
    return undefined
  }
  return toolNamed(params.name)?.definition
}

const methodOf = (body: object): unknown => (body as { method?: unknown }).method

function idOf(body: object): RpcId {
  const { id } = body as { id?: unknown }
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

/**
 * The message for the MCP library. What a client says about itself at `initialize` is validated three times and used for
 * nothing here, so the library gets the first entries of each list only: 2,000 wrong ones would cost 50 ms.
 */
function protocolMessage(body: object): object {
  return methodOf(body) === 'initialize' ? (firstEntries(body) as object) : body
}

/** More entries than any client has capabilities. */
const ENTRIES_MAX = 100

function firstEntries(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) {
    return value
  }
  if (Array.isArray(value)) {
    return value.slice(0, ENTRIES_MAX).map(firstEntries)
  }
  const entries = Object.entries(value).slice(0, ENTRIES_MAX)
  return Object.fromEntries(entries.map(([name, inner]) => [name, firstEntries(inner)]))
}

const PROTOCOL_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name']

/** The request for the MCP library: without the token, and with the configured URL instead of the client's Host. */
function protocolRequest(c: Call, baseUrl: string): Request {
  // The response is always JSON, so a client whose Accept header lacks text/event-stream is served too.
  const headers = new Headers({
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  })
  for (const name of PROTOCOL_HEADERS) {
    const value = c.req.header(name)
    if (value !== undefined) {
      headers.set(name, value)
    }
  }
  return new Request(mcpResource(baseUrl), { method: 'POST', headers })
}

const DATA_MAX_CHARACTERS = 500

interface RpcError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/**
 * Shortens an error of the MCP library, which quotes the message it rejects: a list of every mistake can be many times as
 * long as what was sent. Params that don't fit are -32602; the library calls them an internal error. Other responses stay
 * as they are.
 */
function shortError(response: string, method: unknown): string {
  // Inside a string its quotes would be escaped, so this finds members only.
  if (!response.includes('"error":{"code":')) {
    return response
  }
  const body = JSON.parse(response) as { readonly error: RpcError }
  return JSON.stringify({ ...body, error: shortened(body.error, method) })
}

function shortened({ code, message, data }: RpcError, method: unknown): RpcError {
  const problem = code === INTERNAL_ERROR ? firstProblem(message) : null
  const error: RpcError =
    problem === null
      ? { code, message: shorten(message) }
      : {
          code: INVALID_PARAMS,
          message: shorten(`The params do not fit ${nameOf(method)}. ${problem}`),
        }

  const isShort = data !== undefined && JSON.stringify(data).length <= DATA_MAX_CHARACTERS
  return isShort ? { ...error, data } : error
}

/** The library reports the issues of its validator as a JSON list. */
function firstProblem(message: string): string | null {
  if (!message.startsWith('[')) {
    return null
  }
  try {
    const [issue] = JSON.parse(message) as readonly {
      readonly path: readonly unknown[]
      readonly message: string
    }[]
    return issue === undefined ? null : `${issue.message} at ${issue.path.join('.')}.`
  } catch {
    return null
  }
}

const nameOf = (method: unknown): string =>
  typeof method === 'string' ? method.slice(0, 50) : 'this method'

const MESSAGE_MAX_CHARACTERS = 300

function shorten(text: string): string {
  const scrubbed = scrubText(text.slice(0, 2 * MESSAGE_MAX_CHARACTERS))
  return scrubbed.length <= MESSAGE_MAX_CHARACTERS
    ? scrubbed
    : `${scrubbed.slice(0, MESSAGE_MAX_CHARACTERS - 1).toWellFormed()}…`
}
