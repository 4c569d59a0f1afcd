import type { ToolDefinition } from '@gatehouse/contract'
import { ApiError } from '../../domain/api-error.ts'
import { mcpResource } from '../../domain/oauth/grant.ts'
import type { Call } from '../dependencies.ts'
import { readJsonBody, TooManyValues } from '../request/body.ts'
import { INVALID_PARAMS, INVALID_REQUEST, PARSE_ERROR, type RpcId, rpcError } from './error-responses.ts'
import { toolNamed } from './tools/index.ts'

/** Fits 20,000 characters of feedback, each escaped as `\u1234`. */
const BODY_MAX_BYTES = 256 * 1_024

/**
 * Reads one JSON-RPC message, or returns the error response. Prevents a scope bypass: a batch is rejected, because the checks
 * look at one message only (MCP 2025-06-18 removed batching).
 */
export async function readMessage(c: Call): Promise<object | Response> {
  try {
    const body = await readJsonBody(c, BODY_MAX_BYTES)
    if (body === undefined) return rpcError(c, 400, PARSE_ERROR, 'There is no message in the body.')
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body
    return rpcError(c, 400, INVALID_REQUEST, 'Send one JSON-RPC message, not a batch of them.')
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'bodyTooLarge') return rpcError(c, 413, INVALID_REQUEST, error.message)
    if (error.code === 'unsupportedMediaType') return rpcError(c, 415, INVALID_REQUEST, error.message)
    return rpcError(c, 400, error instanceof TooManyValues ? INVALID_PARAMS : PARSE_ERROR, error.message)
  }
}

/** The tool that a message calls; undefined for other messages and unknown tools. */
export function calledTool(body: object): ToolDefinition | undefined {
  const { method, params } = body as { method?: unknown; params?: { name?: unknown } }
  if (method !== 'tools/call' || typeof params?.name !== 'string') return undefined
  return toolNamed(params.name)?.definition
}

export const methodOf = (body: object): unknown => (body as { method?: unknown }).method

export function idOf(body: object): RpcId {
  const { id } = body as { id?: unknown }
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

/** More entries than any client has capabilities. */
const ENTRIES_MAX = 100

/**
 * The message for the MCP library. What a client says about itself at `initialize` is validated three times and used for
 * nothing here, so the library gets the first entries of each list only: 2,000 wrong ones would cost 50 ms.
 */
export function protocolMessage(body: object): object {
  return methodOf(body) === 'initialize' ? (firstEntries(body) as object) : body
}

function firstEntries(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.slice(0, ENTRIES_MAX).map(firstEntries)
  const entries = Object.entries(value).slice(0, ENTRIES_MAX)
  return Object.fromEntries(entries.map(([name, inner]) => [name, firstEntries(inner)]))
}

const PROTOCOL_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name']

/** The request for the MCP library: without the token, and with the configured URL instead of the client's Host. */
export function protocolRequest(c: Call, baseUrl: string): Request {
  // The response is always JSON, so a client whose Accept header lacks text/event-stream is served too.
  const headers = new Headers({ 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' })
  for (const name of PROTOCOL_HEADERS) {
    const value = c.req.header(name)
    if (value !== undefined) headers.set(name, value)
  }
  return new Request(mcpResource(baseUrl), { method: 'POST', headers })
}
