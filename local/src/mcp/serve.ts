import { Console } from 'node:console'
import { Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { oneLine } from '../safe-text.ts'
import { VERSION } from '../version.ts'
import { callTool } from './call-tool.ts'
import { listedTools } from './tool-list.ts'
import type { Setting } from './tools/tool.ts'

const INFO = { name: 'gatehouse-local', title: 'Gatehouse on this computer', version: VERSION }

const INSTRUCTIONS =
  'Gatehouse adds "Sign in with Google" to any app. Call get_service_documentation first. project_root is the absolute path of the user\'s project; its credentials are in its .service file, which the tools read and write for you: never print it. Tools that take `confirmed` change something: send true only when the user asked for exactly that.'

const CACHE_HINTS = {
  'tools/list': { ttlMs: 60_000, cacheScope: 'private' },
  'server/discover': { ttlMs: 3_600_000, cacheScope: 'public' },
} as const

/** The MCP server on standard input and output, in both protocol eras. It ends when its client closes the input. */
export function serve(setting: Setting): void {
  // stdout belongs to the protocol: one stray word on it and the client gives up. Whatever logs, logs to stderr.
  globalThis.console = new Console(process.stderr)
  const tools = listedTools()
  serveStdio(
    () => {
      const options = { capabilities: { tools: {} }, instructions: INSTRUCTIONS, cacheHints: CACHE_HINTS }
      const server = new Server(INFO, options)
      server.setRequestHandler('tools/list', () => ({ tools }))
      // Not tied to the client's patience: a creation that has begun is finished, or its keys would be lost.
      server.setRequestHandler('tools/call', ({ params }) => callTool(setting, params.name, params.arguments))
      return server
    },
    { onerror: (error) => void process.stderr.write(`gatehouse-local: ${oneLine(error.message)}\n`) },
  )
}
