import type { StatusCode } from 'hono/utils/http-status'
import { ApiError } from '../../domain/api-error.ts'
import { Unavailable } from '../../domain/unavailable.ts'
import { requestAddressKey } from '../callers/client-address.ts'
import type { App, Call, HttpDependencies } from '../dependencies.ts'
import { isJsonType } from '../request/body.ts'
import { allowsHost, allowsOrigin } from './allowed-origins.ts'
import { authenticateCaller, type Caller, lacksScope } from './caller.ts'
import { allowCrossOrigin } from './cors.ts'
import * as responses from './error-responses.ts'
import { calledTool, idOf, protocolRequest, readMessage } from './message.ts'
import type { Exchange, McpProtocol } from './server.ts'

const MCP_PATH = '/mcp'

/**
 * The hosted MCP server. Every gate is asked in this order, and each either lets the request on or answers it:
 * method, Host and Origin, media type, who it is, what it says, whether they may.
 */
export function mcpRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps
  const { baseUrl } = ctx
  let loading: Promise<McpProtocol> | undefined
  /** Loaded by the first who speaks it: a tenth of what a start would read. */
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

  // Clients add a slash, or do not.
  app.on('ALL', [MCP_PATH, `${MCP_PATH}/`], async (c) => {
    c.set('route', MCP_PATH)
    c.header('Cache-Control', 'no-store')
    allowCrossOrigin(c, baseUrl)
    try {
      return await response(c)
    } catch (error) {
      return failed(c, error, null)
    }
  })

  async function response(c: Call): Promise<Response> {
    const origin = c.req.header('origin')
    const isForeign = origin !== undefined && !allowsOrigin(origin, baseUrl)
    if (c.req.method === 'OPTIONS') return c.body(null, isForeign ? 403 : 204)
    // Before anything about tokens: a 401 here sends clients to sign in for a stream that we do not have.
    if (c.req.method !== 'POST') {
      c.header('Allow', 'POST, OPTIONS')
      return responses.rpcError(
        c,
        405,
        responses.INVALID_REQUEST,
        'This endpoint takes POST. There are no streams or sessions.',
      )
    }
    if (isForeign || !allowsHost(c.req.header('host'), baseUrl)) {
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
    const caller = await admit(c)
    if (caller instanceof Response) return caller
    const body = await readMessage(c)
    if (body instanceof Response) return body
    return dispatch(c, caller, body)
  }

  async function admit(c: Call): Promise<Caller | Response> {
    try {
      const caller = await authenticateCaller(ctx, c.req.header('authorization'))
      const mustSignIn = caller.kind === 'public' && c.req.query('login') !== undefined
      return mustSignIn ? responses.signInFirst(c, baseUrl) : caller
    } catch (error) {
      if (error instanceof ApiError) return responses.invalidToken(c, baseUrl, error)
      throw error
    }
  }

  async function dispatch(c: Call, caller: Caller, body: object): Promise<Response> {
    const tool = calledTool(body)
    if (tool !== undefined && tool.scope !== null && lacksScope(caller, tool)) {
      return responses.insufficientScope(c, baseUrl, tool.scope)
    }
    const exchange: Exchange = {
      failure: undefined,
      call: {
        ctx,
        caller,
        addressKey: requestAddressKey(deps, c),
        recordTenant: (tenant) => tenant.owner !== null && c.set('ownedTenantId', tenant.id),
      },
    }
    const speak = await protocol()
    const answered = await speak(protocolRequest(c, baseUrl), body, exchange)
    if (exchange.failure !== undefined) return failed(c, exchange.failure, idOf(body))
    return c.newResponse(answered.body, answered.status as StatusCode, Object.fromEntries(answered.headers))
  }

  function failed(c: Call, error: unknown, id: responses.RpcId): Response {
    ctx.log.error(`${c.get('requestId')} ${MCP_PATH}: a call failed`, error)
    if (error instanceof Unavailable) return responses.unavailable(c, error.retryAfterSeconds, id)
    const message = `We made a mistake. Tell the operator this request id: ${c.get('requestId')}`
    return responses.rpcError(c, 500, responses.INTERNAL_ERROR, message, id)
  }
}
