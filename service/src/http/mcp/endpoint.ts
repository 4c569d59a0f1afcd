import type { StatusCode } from 'hono/utils/http-status'
import { ApiError, Unavailable } from '../../domain/api-error.ts'
import { requestAddressKey } from '../callers/client-address.ts'
import type { App, Call, HttpDependencies } from '../dependencies.ts'
import { isJsonType } from '../request/body.ts'
import { allowsHost, allowsOrigin } from './allowed-origins.ts'
import { authenticateCaller, type Caller, lacksScope } from './caller.ts'
import { allowCrossOrigin } from './cors.ts'
import * as responses from './error-responses.ts'
import { calledTool, idOf, methodOf, protocolMessage, protocolRequest, readMessage } from './message.ts'
import { shortError } from './protocol-error.ts'
import type { Exchange, McpProtocol } from './server.ts'

const MCP_PATH = '/mcp'

/**
 * The hosted MCP server. The checks run in this order, and each can reject the request: method, Host and Origin, media type,
 * authentication, message, scope.
 */
export function mcpRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps
  const { baseUrl } = ctx
  let loading: Promise<McpProtocol> | undefined
  /** Loaded on the first request, because the MCP library is a tenth of the code that a start would load. */
  const protocol = (): Promise<McpProtocol> => {
    // A failed load is tried again by the next request, never remembered.
    loading ??= import('./server.ts')
      .then(({ mcpProtocol }) => mcpProtocol())
      .catch((error: unknown) => {
        loading = undefined
        throw error
      })
    return loading
  }

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
    const origin = c.req.header('origin')
    const isForbiddenOrigin = origin !== undefined && !allowsOrigin(origin, baseUrl)
    if (c.req.method === 'OPTIONS') return c.body(null, isForbiddenOrigin ? 403 : 204)
    // Checked before authentication: a 401 on GET would make clients sign in for an event stream that does not exist.
    if (c.req.method !== 'POST') {
      c.header('Allow', 'POST, OPTIONS')
      return responses.rpcError(
        c,
        405,
        responses.INVALID_REQUEST,
        'This endpoint takes POST. There are no streams or sessions.',
      )
    }
    // Prevents calls from foreign web pages and DNS rebinding (MCP, Streamable HTTP, Security Warning).
    if (isForbiddenOrigin || !allowsHost(c.req.header('host'), baseUrl)) {
      return responses.rpcError(
        c,
        403,
        responses.INVALID_REQUEST,
        'Pages of this origin, or this host name, may not call here.',
      )
    }
    if (!isJsonType(c.req.header('content-type') ?? '')) {
      return responses.rpcError(
        c,
        415,
        responses.INVALID_REQUEST,
        'Send the message as Content-Type: application/json.',
      )
    }
    const caller = await authenticate(c)
    if (caller instanceof Response) return caller
    const body = await readMessage(c)
    if (body instanceof Response) return body
    return dispatch(c, caller, body)
  }

  async function authenticate(c: Call): Promise<Caller | Response> {
    try {
      const caller = await authenticateCaller(ctx, c.req.header('authorization'))
      const mustSignIn = caller.kind === 'public' && c.req.query('login') !== undefined
      return mustSignIn ? responses.signInRequired(c, baseUrl) : caller
    } catch (error) {
      if (error instanceof ApiError) return responses.invalidToken(c, baseUrl, error)
      throw error
    }
  }

  async function dispatch(c: Call, caller: Caller, body: object): Promise<Response> {
    const tool = calledTool(body)
    // 403 in HTTP, so that the client can request the missing scope (RFC 6750, section 3.1). `callTool` enforces it again.
    if (tool !== undefined && tool.scope !== null && lacksScope(caller, tool)) {
      return responses.insufficientScope(c, baseUrl, tool.scope)
    }
    const exchange: Exchange = {
      failure: undefined,
      call: {
        ctx,
        caller,
        addressKey: requestAddressKey(deps, c),
        requestId: c.get('requestId'),
        recordTenant: (tenant) => tenant.owner !== null && c.set('ownedTenantId', tenant.id),
      },
    }
    const handleMessage = await protocol()
    const response = await handleMessage(protocolRequest(c, baseUrl), protocolMessage(body), exchange)
    if (exchange.failure !== undefined) return failed(c, exchange.failure, idOf(body))
    // The only response that isn't JSON is the stream of subscriptions/listen, which has no end to wait for.
    const content = isJsonType(response.headers.get('content-type') ?? '')
      ? shortError(await response.text(), methodOf(body))
      : response.body
    return c.newResponse(content, response.status as StatusCode, Object.fromEntries(response.headers))
  }

  function failed(c: Call, error: unknown, id: responses.RpcId): Response {
    ctx.log.error(`${c.get('requestId')} ${MCP_PATH}: a call failed`, error)
    if (error instanceof Unavailable) return responses.unavailable(c, error, id)
    const message = `We made a mistake. Tell the operator this request id: ${c.get('requestId')}`
    return responses.rpcError(c, 500, responses.INTERNAL_ERROR, message, id)
  }
}
