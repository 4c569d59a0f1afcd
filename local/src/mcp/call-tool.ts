import { issueText } from '@gatehouse/contract'
import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { nextStep, Problem } from '../problem.ts'
import { redactSecrets } from '../redact.ts'
import { findTool } from './tools/index.ts'
import type { ServerOptions, Tool } from './tools/tool.ts'

/**
 * Handles one tools/call. A failed tool returns a result with `isError`, which the agent reads; an unknown tool is a
 * protocol error (MCP, Tools, Error Handling).
 */
export async function callTool(options: ServerOptions, name: string, args: unknown): Promise<CallToolResult> {
  const tool = findTool(name)
  if (tool === undefined) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown tool. tools/list returns the available tools.')
  }
  try {
    const output = tool.output.parse(await tool.run(options, readArguments(tool, args)))
    if (typeof output === 'string') return { content: [{ type: 'text', text: redactSecrets(output) }] }
    // The output schemas are allowlists; redaction is a second line of defense.
    const text = redactSecrets(JSON.stringify(output))
    return { content: [{ type: 'text', text }], structuredContent: JSON.parse(text) }
  } catch (error) {
    return { isError: true, content: [{ type: 'text', text: redactSecrets(problemText(error)) }] }
  }
}

function readArguments({ definition }: Tool, args: unknown): unknown {
  // This tool takes no input and ignores any.
  if (definition.name === 'get_service_documentation') return {}
  const schema = definition.input.local
  const parsed = schema.safeParse(args ?? {}, { error: issueText })
  if (parsed.success) return parsed.data
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
  return [`${error.code}: ${error.message} ${error.next.agent}`, ...error.lines.map((line) => `- ${line}`)].join('\n')
}
