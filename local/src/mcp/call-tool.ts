import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { either, Problem } from '../problem.ts'
import { withoutSecrets } from '../safe-text.ts'
import { toolNamed } from './tools/index.ts'
import type { Setting, Tool } from './tools/tool.ts'

/**
 * One tools/call. What did not work is a result with `isError`, which an agent reads; a tool that does not exist is a
 * protocol error (MCP, Tools, Error Handling).
 */
export async function callTool(setting: Setting, name: string, args: unknown): Promise<CallToolResult> {
  const tool = toolNamed(name)
  if (tool === undefined) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such tool. tools/list names those there are.')
  }
  try {
    const output = tool.output.parse(await tool.run(setting, readArguments(tool, args)))
    // Answers are allowlists already; this is for the day that somebody adds a field too many.
    const text = withoutSecrets(JSON.stringify(output))
    return { content: [{ type: 'text', text }], structuredContent: JSON.parse(text) }
  } catch (error) {
    return { isError: true, content: [{ type: 'text', text: withoutSecrets(problemText(error)) }] }
  }
}

function readArguments({ definition }: Tool, args: unknown): unknown {
  // Takes no input and ignores any.
  if (definition.name === 'get_service_documentation') return {}
  const schema = definition.input.local
  const read = schema.safeParse(args ?? {})
  if (read.success) return read.data
  // The words are the schema's, never the caller's: what is in the wrong place may be a secret.
  const lines = read.error.issues.map((issue) => {
    const path = issue.path.map(String).join('.')
    const isStranger = issue.code === 'unrecognized_keys'
    const problem = isStranger ? 'There is a field here that this tool does not have.' : issue.message
    return path === '' ? problem : `${path}: ${problem}`
  })
  throw new Problem(
    'invalidRequest',
    `The arguments do not fit ${definition.name}. Nothing was changed.`,
    either(`It takes: ${Object.keys(schema.shape).join(', ')}.`),
    { lines },
  )
}

/** Which problem it is, what is so, what to do about it, and the single points if there are several. */
function problemText(error: unknown): string {
  if (!(error instanceof Problem)) {
    const reason = error instanceof Error ? error.message : String(error)
    return `unexpected: Something went wrong on this machine (${reason}). Tell the user.`
  }
  return [`${error.code}: ${error.message} ${error.next.agent}`, ...error.lines.map((line) => `- ${line}`)].join('\n')
}
