import { Console } from 'node:console'
import { Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { singleLine } from '../redact.ts'
import { VERSION } from '../version.ts'
import { callTool } from './call-tool.ts'
import { listedTools } from './tool-list.ts'
import type { ServerOptions } from './tools/tool.ts'

const INFO = { name: 'gatehouse-local', title: 'Gatehouse on this computer', version: VERSION }

const INSTRUCTIONS =
  'Gatehouse adds "Sign in with Google" to any app. Call get_service_documentation first. project_root is the absolute path of the user\'s project; its credentials are in its .service file, which the tools read and write for you: never print it. Tools that take `confirmed` change something: send true only when the user asked for exactly that.'

const CACHE_HINTS = {
  'tools/list': { ttlMs: 60_000, cacheScope: 'private' },
  'server/discover': { ttlMs: 3_600_000, cacheScope: 'public' },
} as const

/** Runs the MCP server on standard input and output, in both protocol versions, until the client closes the input. */
export function serve(options: ServerOptions): void {
  // stdout carries the protocol only: any other output breaks the client. Redirect console to stderr.
  globalThis.console = new Console(process.stderr)
  const tools = listedTools()
  serveStdio(
    () => {
      const server = new Server(INFO, {
        capabilities: { tools: {} },
        instructions: INSTRUCTIONS,
        cacheHints: CACHE_HINTS,
      })
      server.setRequestHandler('tools/list', () => ({ tools }))
      // Ignores cancellation: a running creation must finish, or its keys would be lost.
      server.setRequestHandler('tools/call', ({ params }) => callTool(options, params.name, params.arguments))
      return server
    },
    { onerror: (error) => void process.stderr.write(`gatehouse-local: ${singleLine(error.message)}\n`) },
  )
}
