import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { callTool } from './call-tool.ts'
import { CACHE_HINTS, INFO, toolsFor } from './catalog.ts'
import type { ToolCall } from './tool.ts'

/** One request while the MCP library processes it. */
export interface Exchange {
  readonly call: ToolCall
  /** An internal error thrown by a tool. Prevents leaking its message: the endpoint reports it, not the MCP library. */
  failure: unknown
}

/** Answers a message by the MCP library. */
export type HandleMessage = (
  request: Request,
  body: unknown,
  exchange: Exchange,
) => Promise<Response>

/** Serves both protocol versions with a single JSON response: 2026-07-28, and the handshake of 2025 and earlier. */
export function mcpProtocol(): HandleMessage {
  const exchanges = new WeakMap<Request, Exchange>()
  const modern = createMcpHandler(
    ({ requestInfo }) => serverFor(exchanges.get(requestInfo as Request) as Exchange),
    {
      legacy: 'reject',
    },
  )

  async function legacy(request: Request, body: unknown, exchange: Exchange): Promise<Response> {
    const server = serverFor(exchange)
    // No session id generator makes the transport stateless. JSON, because the SDK's default is an event stream.
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    await server.connect(transport)
    try {
      return await transport.handleRequest(request, { parsedBody: body })
    } finally {
      await server.close()
    }
  }

  return async (request, body, exchange) => {
    if (await isLegacyRequest(request, body)) {
      return legacy(request, body, exchange)
    }
    exchanges.set(request, exchange)
    return modern.fetch(request, { parsedBody: body })
  }
}

const INSTRUCTIONS =
  'Gatehouse adds "Sign in with Google" to any app. Call get_service_documentation first. Tools that take `confirmed` change something: send true only when the user asked for exactly that. Credentials belong in the .service file, and nowhere else.'

/** Creates one server per request. Prevents mixing up callers: requests share no state. */
function serverFor(exchange: Exchange): Server {
  // The tool list is constant while the process runs, so `listChanged` is not announced.
  const options = {
    capabilities: { tools: {} },
    instructions: INSTRUCTIONS,
    cacheHints: CACHE_HINTS,
  }
  const server = new Server(INFO, options)
  server.setRequestHandler('tools/list', () => ({ tools: [...toolsFor(exchange.call.caller)] }))
  server.setRequestHandler('tools/call', async ({ params }) => {
    try {
      return await callTool(exchange.call, params.name, params.arguments)
    } catch (error) {
      if (error instanceof ProtocolError) {
        throw error
      }
      exchange.failure = error
      throw new ProtocolError(ProtocolErrorCode.InternalError, 'We made a mistake.')
    }
  })
  return server
}
