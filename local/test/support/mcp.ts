import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { type CallToolResult, Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { Machine } from './machine.ts'

export const ERAS = ['legacy', 'modern'] as const

export type Era = (typeof ERAS)[number]

const NEGOTIATION = { legacy: { mode: 'legacy' }, modern: { mode: { pin: '2026-07-28' } } } as const

export interface Connected {
  readonly client: Client
  /** Calls a tool and returns its structured content, after asserting that the text content is equal. */
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on the output of the tool
  response(name: string, args?: Record<string, unknown>): Promise<any>
  /** Calls a tool, asserts `isError`, and returns its text. */
  apiError(name: string, args?: Record<string, unknown>): Promise<string>
}

const SECRETS = /svc_(?:man|app|rt|wt|es)_\w{8,}|mcp_(?:ac|at|rt)_\w{8,}/

/** Starts the local MCP server as a child process, as an agent does, and connects the MCP SDK's client. */
export async function connect(t: TestContext, machine: Machine, era: Era): Promise<Connected> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [machine.bin, 'mcp'],
    // Not the project folder: tools must use project_root, not the working directory.
    cwd: machine.home,
    env: machine.env,
    stderr: 'pipe',
  })
  let errors = ''
  transport.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk
  })
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: NEGOTIATION[era] },
  )
  await client.connect(transport)
  t.after(async () => {
    await client.close()
    assert.equal(errors, '', 'no output on stderr')
  })
  const call = async (name: string, args: Record<string, unknown>): Promise<CallToolResult> => {
    const result = await client.callTool({ name, arguments: args })
    assert.doesNotMatch(JSON.stringify(result), SECRETS, 'no key in the result')
    return result
  }
  return {
    client,
    async response(name, args = {}) {
      const result = await call(name, args)
      assert.ok(!result.isError, textOf(result))
      if (name === 'get_service_documentation') {
        return textOf(result)
      }
      assert.deepEqual(JSON.parse(textOf(result)), result.structuredContent)
      return result.structuredContent
    },
    async apiError(name, args = {}) {
      const result = await call(name, args)
      assert.equal(result.isError, true, textOf(result))
      return textOf(result)
    },
  }
}

function textOf({ content }: CallToolResult): string {
  const [block] = content
  return block?.type === 'text' ? block.text : ''
}
