import { Console } from 'node:console'
import type { Readable, Writable } from 'node:stream'
import { issueText, TOOL_NAMES } from '@gatehouse-auth/contract'
import {
  type CallToolResult,
  type Tool as ListedTool,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'
import { VERSION } from '../invocation.ts'
import { nextStep, Problem, redactSecrets, singleLine } from '../problem.ts'
import { findTool, type ServerOptions, TOOLS_BY_NAME, type Tool } from './tools.ts'

const INFO = { name: 'gatehouse-local', title: 'Gatehouse on this computer', version: VERSION }

const INSTRUCTIONS =
  'Gatehouse adds "Sign in with Google" to any app. Call get_service_documentation first. project_root is the absolute path of the user\'s project; its credentials are in its .service file, which the tools read and write for you: never print it. Tools that take `confirmed` change something: send true only when the user asked for exactly that.'

const CACHE_HINTS = {
  'tools/list': { ttlMs: 60_000, cacheScope: 'private' },
  'server/discover': { ttlMs: 3_600_000, cacheScope: 'public' },
} as const

interface Streams {
  readonly stdin: Readable
  readonly stdout: Writable
}

/**
 * Runs the MCP server on standard input and output, or on these streams, in both protocol versions, until the client closes the
 * input.
 */
export function serve(options: ServerOptions, streams: Streams | null): void {
  // stdout carries the protocol only: any other output breaks the client. Redirect console to stderr.
  globalThis.console = new Console(process.stderr)
  const tools = listedTools()
  const { stdin, stdout } = streams ?? process
  const transport = new StdioServerTransport(stdin, stdout, { maxBufferSize: MESSAGE_MAX_BYTES })
  serveStdio(
    () => {
      const server = new Server(INFO, {
        capabilities: { tools: {} },
        instructions: INSTRUCTIONS,
        cacheHints: CACHE_HINTS,
      })
      server.setRequestHandler('tools/list', () => ({ tools }))
      // Ignores cancellation: a running creation must finish, or its keys would be lost.
      server.setRequestHandler('tools/call', ({ params }) =>
        callTool(options, params.name, params.arguments),
      )
      return server
    },
    {
      transport,
      onerror: (error) =>
        void process.stderr.write(`gatehouse-local: ${singleLine(error.message)}\n`),
    },
  )

  const { onclose } = transport
  transport.onclose = () => {
    onclose?.()
    // The transport closes while there is input only after a message that is too large. It then answers nothing any more.
    if (!stdin.readableEnded) {
      endAfterTooLargeMessage(stdout)
    }
  }
}

const MESSAGE_MAX_BYTES = 10 * 1_024 * 1_024

const TOO_LARGE =
  'A message has more than 10 MiB, which no tool takes. The server ends: start it again, and send less.'

/** Tells the client, and lets the process end. A running creation still finishes, so that its keys aren't lost. */
function endAfterTooLargeMessage(stdout: Writable): void {
  // The id is in the message, which was not kept: null, as JSON-RPC 2.0, section 5, asks for.
  const error = { code: ProtocolErrorCode.InvalidRequest, message: TOO_LARGE }
  stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error })}\n`)
  process.stderr.write(`gatehouse-local: ${TOO_LARGE}\n`)
  process.exitCode = 1
  process.stdin.destroy()
}

/**
 * Handles one tools/call. A failed tool returns a result with `isError`, which the agent reads; an unknown tool is a
 * protocol error (MCP, Tools, Error Handling).
 */
async function callTool(
  options: ServerOptions,
  name: string,
  args: unknown,
): Promise<CallToolResult> {
  const tool = findTool(name)
  if (tool === undefined) {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      'Unknown tool. tools/list returns the available tools.',
    )
  }
  try {
    const output = tool.output.parse(await tool.run(options, readArguments(tool, args)))
    if (typeof output === 'string') {
      return { content: [{ type: 'text', text: redactSecrets(output) }] }
    }
    // The output schemas are allowlists; redaction is a second line of defense.
    const text = redactSecrets(JSON.stringify(output))
    return { content: [{ type: 'text', text }], structuredContent: JSON.parse(text) }
  } catch (error) {
    return { isError: true, content: [{ type: 'text', text: redactSecrets(problemText(error)) }] }
  }
}

function readArguments({ definition }: Tool, args: unknown): unknown {
  // This tool takes no input and ignores any.
  if (definition.name === 'get_service_documentation') {
    return {}
  }
  const schema = definition.input.local
  const parsed = schema.safeParse(args ?? {}, { error: issueText })
  if (parsed.success) {
    return parsed.data
  }
  // The messages must not repeat the input: a misplaced value may be a secret.
  const lines = parsed.error.issues.map((issue) => {
    const path = issue.path.map(String).join('.')
    const isUnknownField = issue.code === 'unrecognized_keys'
    const problem = isUnknownField ? unknownFields(issue.keys) : issue.message
    return path === '' ? problem : `${path}: ${problem}`
  })
  throw new Problem(
    'invalidRequest',
    `The arguments of ${definition.name} are not valid. Nothing was changed.`,
    nextStep(`It takes: ${Object.keys(schema.shape).join(', ')}.`),
    { lines },
  )
}

const NAMES_MAX = 5

/** Names what looks like a name: anything else may be a misplaced secret. */
function unknownFields(keys: readonly string[]): string {
  const names = keys.filter((key) => /^[A-Za-z_][\w-]{0,39}$/.test(key)).slice(0, NAMES_MAX)
  return names.length === 0
    ? 'There is a field here that this tool does not have.'
    : `There is no field ${names.join(', ')}.`
}

/** The code, the message and the next step on one line, then the details. */
function problemText(error: unknown): string {
  if (!(error instanceof Problem)) {
    const reason = error instanceof Error ? error.message : String(error)
    return `unexpected: An unexpected error occurred on this machine (${reason}). Tell the user.`
  }
  return [
    `${error.code}: ${error.message} ${error.next.agent}`,
    ...error.lines.map((line) => `- ${line}`),
  ].join('\n')
}

/** The response of tools/list: all six tools, in the order of the contract. */
const listedTools = (): ListedTool[] =>
  TOOL_NAMES.map((name) => {
    const { definition, description, output } = TOOLS_BY_NAME[name]
    return {
      name,
      title: definition.title,
      description,
      inputSchema: schemaOf(definition.input.local, 'input'),
      ...(output instanceof z.ZodObject ? { outputSchema: schemaOf(output, 'output') } : {}),
      annotations: { ...definition.annotations },
    }
  })

/** JSON Schema 2020-12, the default of MCP. `$schema` is omitted, because older clients reject it. */
function schemaOf(schema: z.ZodObject, io: 'input' | 'output'): ListedTool['inputSchema'] {
  const { $schema, ...written } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    metadata: WITHOUT_IDS,
    override,
  })
  if (Object.keys(written.properties ?? {}).length === 0) {
    delete written.properties
  }
  return written as ListedTool['inputSchema']
}

/** Zod moves a schema with an id to $defs and references it, and many clients do not resolve $ref. */
const WITHOUT_IDS = {
  get(schema: z.core.$ZodType) {
    const { id: _id, ...rest } = z.globalRegistry.get(schema) ?? {}
    return rest
  },
} as typeof z.globalRegistry

/** Removes redundant keywords: the pattern of a date-time format, and the safe-integer bounds. */
function override({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.format === 'date-time') {
    delete jsonSchema.pattern
  }
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) {
    delete jsonSchema.minimum
  }
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) {
    delete jsonSchema.maximum
  }
}
