import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { type CallToolResult, Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { Bench } from './bench.ts'
import { CLI } from './command.ts'

export const ERAS = ['legacy', 'modern'] as const

export type Era = (typeof ERAS)[number]

const NEGOTIATION = { legacy: { mode: 'legacy' }, modern: { mode: { pin: '2026-07-28' } } } as const

export interface Connected {
  readonly client: Client
  /** Calls a tool, and gives back what it answered in both forms, which must be the same. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came
  response(name: string, args?: Record<string, unknown>): Promise<any>
  /** Calls a tool that is expected to say no, and gives back its words. */
  apiError(name: string, args?: Record<string, unknown>): Promise<string>
}

const SECRETS = /svc_(?:man|app|rt|wt|es)_\w{8,}|mcp_(?:ac|at|rt)_\w{8,}/

/** The local server, as an agent starts it: a process of its own, spoken to by the SDK's own client. */
export async function connect(t: TestContext, bench: Bench, era: Era): Promise<Connected> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, 'mcp'],
    // Not the project: what a tool is told decides, and not where the agent happens to run.
    cwd: bench.home,
    env: { PATH: process.env.PATH ?? '', ...bench.env },
    stderr: 'pipe',
  })
  let errors = ''
  transport.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk
  })
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: NEGOTIATION[era] })
  await client.connect(transport)
  t.after(async () => {
    await client.close()
    assert.equal(errors, '', 'nothing to complain about')
  })
  const call = async (name: string, args: Record<string, unknown>): Promise<CallToolResult> => {
    const result = await client.callTool({ name, arguments: args })
    assert.doesNotMatch(JSON.stringify(result), SECRETS, 'no key is ever answered')
    return result
  }
  return {
    client,
    async response(name, args = {}) {
      const result = await call(name, args)
      assert.ok(!result.isError, textOf(result))
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
