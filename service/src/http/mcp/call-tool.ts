import { issueText, type ToolDefinition } from '@gatehouse/contract'
import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { ApiError, type InputProblem, invalidRequest, listedProblems } from '../../domain/api-error.ts'
import { argumentProblems } from './argument-problems.ts'
import { lacksScope } from './caller.ts'
import { signInOffer } from './challenge.ts'
import { errorText } from './error-text.ts'
import { scrub, scrubText } from './scrub.ts'
import { toolNamed } from './tools/index.ts'
import type { ToolCall } from './tools/tool.ts'

/**
 * Handles one tools/call. An API error is a result with `isError`, which the agent reads and can act on; an unknown tool is
 * a protocol error (MCP, Tools, Error Handling). Internal errors propagate to the endpoint.
 */
export async function callTool(call: ToolCall, name: string, args: unknown): Promise<CallToolResult> {
  const tool = toolNamed(name)
  if (tool === undefined) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such tool. tools/list names those there are.')
  }
  const { definition, mayHoldSecret } = tool
  try {
    // Prevents privilege escalation: the endpoint checks the scope early, and this check covers every path to a tool.
    if (lacksScope(call.caller, definition)) throw insufficientScope(definition)
    const input = readArguments(call, definition, args)
    const output = definition.output.parse(await tool.run(call, input))
    if (typeof output === 'string') return { content: [{ type: 'text', text: scrubText(output) }] }
    const structuredContent = scrub(output, mayHoldSecret === undefined ? [] : [mayHoldSecret])
    return {
      content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
      structuredContent: structuredContent as Record<string, unknown>,
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return {
      isError: true,
      content: [{ type: 'text', text: errorText(error) }],
      ...(offersSignIn(call, error) ? { _meta: { 'mcp/www_authenticate': [signInOffer(call.ctx.baseUrl)] } } : {}),
    }
  }
}

function readArguments({ caller }: ToolCall, { name, input }: ToolDefinition, args: unknown): unknown {
  // This tool takes no input and ignores any (decision 12).
  if (name === 'get_service_documentation') return {}
  const parsed = input[caller.kind].safeParse(args ?? {}, { error: issueText })
  if (parsed.success) return parsed.data
  const problems = argumentProblems(input[caller.kind], parsed.error, caller)
  if (caller.kind === 'public' && problems.some(({ path }) => path === 'coh_management_key')) throw keyMissing(problems)
  throw invalidRequest(`The arguments do not fit ${name}. Nothing was changed.`, problems)
}

/** Names both ways to authenticate, because a user without a key may have an account. */
const keyMissing = (problems: readonly InputProblem[]): ApiError =>
  new ApiError(
    'missingCredentials',
    'Without signing in, this tool needs tenant_id and coh_management_key from the .service file of the project. Connected with OAuth, it needs tenant_id alone. Nothing was changed.',
    { details: { problems: listedProblems(problems) } },
  )

const insufficientScope = ({ scope }: ToolDefinition): ApiError =>
  new ApiError('insufficientScope', `This sign-in does not cover it. Sign in again and allow ${scope}.`)

/** Some clients start a sign-in only if the result contains this challenge in `_meta`. */
const offersSignIn = ({ caller }: ToolCall, { code }: ApiError): boolean =>
  caller.kind === 'public' && (code === 'invalidCredentials' || code === 'missingCredentials')
