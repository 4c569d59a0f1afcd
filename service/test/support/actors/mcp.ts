import assert from 'node:assert/strict'
import type { Agent, ApiResponse } from './agent.ts'

export interface WireOptions {
  /** An OAuth access token. */
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly path?: string
}

/** What a tool answered. */
export interface ToolResponse {
  readonly isError: boolean
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came
  readonly json: any
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came
  readonly meta: any
}

export type Era = 'legacy' | 'modern'

export const ERAS: readonly Era[] = ['legacy', 'modern']

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'wire', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** MCP as it is on the wire, where a proper client would send nothing wrong. */
export class McpWire {
  readonly #agent: Agent
  #id = 0

  constructor(agent: Agent) {
    this.#agent = agent
  }

  /** Any body, as it is. */
  post(body: unknown, { token, headers = {}, path = '/mcp' }: WireOptions = {}): Promise<ApiResponse> {
    return this.#agent.call('POST', path, { body, headers, ...(token === undefined ? {} : { key: token }) })
  }

  /** One request of this era. */
  request(method: string, params: Record<string, unknown> = {}, options: WireOptions = {}, era: Era = 'legacy') {
    const id = ++this.#id
    if (era === 'legacy') return this.post({ jsonrpc: '2.0', id, method, params }, options)
    const name = typeof params.name === 'string' ? { 'Mcp-Name': params.name } : {}
    const headers = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method, ...name, ...options.headers }
    return this.post({ jsonrpc: '2.0', id, method, params: { ...params, _meta: ENVELOPE } }, { ...options, headers })
  }

  /** A tool that was let in. */
  async call(name: string, args: unknown, options: WireOptions = {}, era: Era = 'legacy'): Promise<ToolResponse> {
    const response = await this.request('tools/call', { name, arguments: args }, options, era)
    assert.equal(response.status, 200, response.text)
    const { result } = response.json
    assert.ok(result !== undefined, response.text)
    const [content] = result.content
    if (result.isError !== true) assert.equal(content.text, JSON.stringify(result.structuredContent))
    else assert.equal(result.structuredContent, undefined)
    return {
      isError: result.isError === true,
      text: content.text,
      json: result.structuredContent,
      meta: result._meta ?? {},
    }
  }

  async toolNames(options: WireOptions = {}): Promise<string[]> {
    const response = await this.request('tools/list', {}, options)
    return response.json.result.tools.map(({ name }: { name: string }) => name)
  }
}

/** It did it. */
export async function done(call: Promise<ToolResponse>): Promise<ToolResponse['json']> {
  const response = await call
  assert.equal(response.isError, false, response.text)
  return response.json
}

/** It refused, with this code at the beginning of what an agent reads. */
export async function refusedWith(call: Promise<ToolResponse>, code: string): Promise<string> {
  const response = await call
  assert.ok(response.isError, response.text)
  assert.match(response.text, new RegExp(`^${code}: [A-Z]`))
  return response.text
}
