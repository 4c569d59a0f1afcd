import type { StatusCode } from 'hono/utils/http-status'
import { Refusal } from '../../domain/api-error.ts'
import { Unavailable } from '../../domain/unavailable.ts'
import { sourceOf } from '../callers/client-address.ts'
import type { App, Call, Surface } from '../dependencies.ts'
import { isJsonType } from '../request/body.ts'
import * as answers from './answers.ts'
import { allowCrossOrigin } from './cors.ts'
import { type Door, doorFor, lacksScope } from './doors.ts'
import { calledTool, idOf, protocolRequest, readMessage } from './message.ts'
import { allowsHost, allowsOrigin } from './origin.ts'
import type { Exchange, McpProtocol } from './server.ts'

const MCP_PATH = '/mcp'

/**
 * The hosted MCP server. Every gate is asked in this order, and each either lets the request on or answers it:
 * method, Host and Origin, media type, who it is, what it says, whether they may.
 */
export function mcpRoutes(app: App, surface: Surface): void {
  const { ctx } = surface
  const { baseUrl } = ctx
  let loading: Promise<McpProtocol> | undefined
  /** Loaded by the first who speaks it: a tenth of what a start would read. */
  const protocol = (): Promise<McpProtocol> => {
    loading ??= import('./server.ts').then(({ mcpProtocol }) => mcpProtocol())
    return loading
  }

  // Clients add a slash, or do not.
  app.on('ALL', [MCP_PATH, `${MCP_PATH}/`], async (c) => {
    c.set('route', MCP_PATH)
    c.header('Cache-Control', 'no-store')
    allowCrossOrigin(c, baseUrl)
    try {
      return await answer(c)
    } catch (error) {
      return failed(c, error, null)
    }
  })

  async function answer(c: Call): Promise<Response> {
    const origin = c.req.header('origin')
    const isForeign = origin !== undefined && !allowsOrigin(origin, baseUrl)
    if (c.req.method === 'OPTIONS') return c.body(null, isForeign ? 403 : 204)
    // Before anything about tokens: a 401 here sends clients to sign in for a stream that we do not have.
    if (c.req.method !== 'POST') {
      c.header('Allow', 'POST, OPTIONS')
      return answers.rpcError(
        c,
        405,
        answers.INVALID_REQUEST,
        'This endpoint takes POST. There are no streams or sessions.',
      )
    }
    if (isForeign || !allowsHost(c.req.header('host'), baseUrl)) {
      return answers.rpcError(
        c,
        403,
        answers.INVALID_REQUEST,
        'Pages of this origin, or this host name, may not call here.',
      )
    }
    if (!isJsonType(c.req.header('content-type') ?? '')) {
      return answers.rpcError(c, 415, answers.INVALID_REQUEST, 'Send the message as Content-Type: application/json.')
    }
    const door = await admit(c)
    if (door instanceof Response) return door
    const body = await readMessage(c)
    if (body instanceof Response) return body
    return dispatch(c, door, body)
  }

  async function admit(c: Call): Promise<Door | Response> {
    try {
      const door = await doorFor(ctx, c.req.header('authorization'))
      const mustSignIn = door.kind === 'public' && c.req.query('login') !== undefined
      return mustSignIn ? answers.signInFirst(c, baseUrl) : door
    } catch (error) {
      if (error instanceof Refusal) return answers.invalidToken(c, baseUrl, error)
      throw error
    }
  }

  async function dispatch(c: Call, door: Door, body: object): Promise<Response> {
    const tool = calledTool(body)
    if (tool !== undefined && tool.scope !== null && lacksScope(door, tool)) {
      return answers.insufficientScope(c, baseUrl, tool.scope)
    }
    const exchange: Exchange = {
      failure: undefined,
      call: {
        ctx,
        door,
        source: sourceOf(surface, c),
        concerns: (tenant) => tenant.owner !== null && c.set('ownedTenantId', tenant.id),
      },
    }
    const speak = await protocol()
    const answered = await speak(protocolRequest(c, baseUrl), body, exchange)
    if (exchange.failure !== undefined) return failed(c, exchange.failure, idOf(body))
    return c.newResponse(answered.body, answered.status as StatusCode, Object.fromEntries(answered.headers))
  }

  function failed(c: Call, error: unknown, id: answers.RpcId): Response {
    ctx.log.error(`${c.get('requestId')} ${MCP_PATH}: a call failed`, error)
    if (error instanceof Unavailable) return answers.unavailable(c, error.retryAfterSeconds, id)
    const message = `We made a mistake. Tell the operator this request id: ${c.get('requestId')}`
    return answers.rpcError(c, 500, answers.INTERNAL_ERROR, message, id)
  }
}
