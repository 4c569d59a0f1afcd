import assert from 'node:assert/strict'
import type { Agent, ApiResponse } from './agent.ts'

interface RawMcpOptions {
  /** An OAuth access token. */
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly path?: string
}

interface ToolResponse {
  readonly isError: boolean
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read fields of any result
  readonly json: any
  // biome-ignore lint/suspicious/noExplicitAny: tests read fields of any result
  readonly meta: any
}

export type Era = 'legacy' | 'modern'

export const ERAS: readonly Era[] = ['legacy', 'modern']

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'wire', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** Sends MCP requests by hand, including invalid ones that the SDK's client never sends. */
export class RawMcpClient {
  readonly #agent: Agent
  #id = 0

  constructor(agent: Agent) {
    this.#agent = agent
  }

  /** Posts any body unchanged. */
  post(
    body: unknown,
    { token, headers = {}, path = '/mcp' }: RawMcpOptions = {},
  ): Promise<ApiResponse> {
    return this.#agent.call('POST', path, {
      body,
      headers,
      ...(token === undefined ? {} : { key: token }),
    })
  }

  /** One request in the protocol version of this era. */
  request(
    method: string,
    params: Record<string, unknown> = {},
    options: RawMcpOptions = {},
    era: Era = 'legacy',
  ) {
    const id = ++this.#id
    if (era === 'legacy') {
      return this.post({ jsonrpc: '2.0', id, method, params }, options)
    }
    const name = typeof params.name === 'string' ? { 'Mcp-Name': params.name } : {}
    const headers = {
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': method,
      ...name,
      ...options.headers,
    }
    return this.post(
      { jsonrpc: '2.0', id, method, params: { ...params, _meta: ENVELOPE } },
      { ...options, headers },
    )
  }

  /** Calls a tool; the HTTP response must be 200. */
  async call(
    name: string,
    args: unknown,
    options: RawMcpOptions = {},
    era: Era = 'legacy',
  ): Promise<ToolResponse> {
    const response = await this.request('tools/call', { name, arguments: args }, options, era)
    assert.equal(response.status, 200, response.text)
    const { result } = response.json
    assert.ok(result !== undefined, response.text)
    const [content] = result.content
    // The documentation is text only; other results are the same twice.
    const hasFields = result.structuredContent !== undefined
    assert.equal(
      hasFields,
      result.isError !== true && name !== 'get_service_documentation',
      response.text,
    )
    if (hasFields) {
      assert.equal(content.text, JSON.stringify(result.structuredContent))
    }
    return {
      isError: result.isError === true,
      text: content.text,
      json: result.structuredContent ?? content.text,
      meta: result._meta ?? {},
    }
  }

  async toolNames(options: RawMcpOptions = {}): Promise<string[]> {
    const response = await this.request('tools/list', {}, options)
    return response.json.result.tools.map(({ name }: { name: string }) => name)
  }
}

/** The structured content of a call that must succeed. */
export async function toolResult(call: Promise<ToolResponse>): Promise<ToolResponse['json']> {
  const response = await call
  assert.equal(response.isError, false, response.text)
  return response.json
}

/** The call fails, and its text begins with this error code. Returns the text. */
export async function assertToolError(call: Promise<ToolResponse>, code: string): Promise<string> {
  const response = await call
  assert.ok(response.isError, response.text)
  assert.match(response.text, new RegExp(`^${code}: [A-Z]`))
  return response.text
}
