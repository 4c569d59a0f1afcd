import { type ApiErrorCode, issueText, type ToolDefinition } from '@gatehouse-auth/contract'
import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { z } from 'zod'
import {
  ApiError,
  type InputProblem,
  invalidRequest,
  listedProblems,
} from '../../domain/api-error.ts'
import { type Caller, lacksScope } from './caller.ts'
import { signInOffer } from './error-responses.ts'
import { scrub, scrubText } from './scrub.ts'
import type { ToolCall } from './tool.ts'
import { toolNamed } from './tools.ts'

/**
 * Handles one tools/call. An API error is a result with `isError`, which the agent reads and can act on; an unknown tool is
 * a protocol error (MCP, Tools, Error Handling). Internal errors propagate to the endpoint.
 */
export async function callTool(
  call: ToolCall,
  name: string,
  args: unknown,
): Promise<CallToolResult> {
  const tool = toolNamed(name)
  if (tool === undefined) {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      'There is no such tool. tools/list names those there are.',
    )
  }
  const { definition, mayHoldSecret } = tool
  try {
    // Prevents privilege escalation: the endpoint checks the scope early, and this check covers every path to a tool.
    if (lacksScope(call.caller, definition)) {
      throw insufficientScope(definition)
    }
    const input = readArguments(call, definition, args)
    const output = definition.output.parse(await tool.run(call, input))
    if (typeof output === 'string') {
      return { content: [{ type: 'text', text: scrubText(output) }] }
    }
    const structuredContent = scrub(output, mayHoldSecret === undefined ? [] : [mayHoldSecret])
    return {
      content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
      structuredContent: structuredContent as Record<string, unknown>,
    }
  } catch (error) {
    if (!(error instanceof ApiError)) {
      throw error
    }
    return {
      isError: true,
      content: [{ type: 'text', text: errorText(error) }],
      ...(offersSignIn(call, error)
        ? { _meta: { 'mcp/www_authenticate': [signInOffer(call.ctx.baseUrl)] } }
        : {}),
    }
  }
}

function readArguments(
  { caller }: ToolCall,
  { name, input }: ToolDefinition,
  args: unknown,
): unknown {
  // This tool takes no input and ignores any (decision 12).
  if (name === 'get_service_documentation') {
    return {}
  }
  const parsed = input[caller.kind].safeParse(args ?? {}, { error: issueText })
  if (parsed.success) {
    return parsed.data
  }
  const problems = argumentProblems(input[caller.kind], parsed.error, caller)
  if (caller.kind === 'public' && problems.some(({ path }) => path === 'coh_management_key')) {
    throw keyMissing(problems)
  }
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
  new ApiError(
    'insufficientScope',
    `This sign-in does not cover it. Sign in again and allow ${scope}.`,
  )

/** Some clients start a sign-in only if the result contains this challenge in `_meta`. */
const offersSignIn = ({ caller }: ToolCall, { code }: ApiError): boolean =>
  caller.kind === 'public' && (code === 'invalidCredentials' || code === 'missingCredentials')

/**
 * Validation problems by path. Prevents echoing secrets: messages come from the schema and contain no value that was sent;
 * the names of unknown fields are shown if they look like names (and `errorText` scrubs them).
 */
function argumentProblems(schema: z.ZodObject, error: z.ZodError, caller: Caller): InputProblem[] {
  return error.issues.map((issue) => {
    const path = issue.path.map(String).join('.')
    if (issue.code !== 'unrecognized_keys') {
      return { path, problem: issue.message }
    }
    if (caller.kind === 'oauth' && issue.keys.includes('coh_management_key')) {
      return {
        path: 'coh_management_key',
        problem: 'Leave it out: with an OAuth token no management key is needed.',
      }
    }
    const takes = path === '' ? ` It takes: ${Object.keys(schema.shape).join(', ')}.` : ''
    return { path, problem: `${unknownFields(issue.keys)}${takes}` }
  })
}

const NAMES_MAX = 5

function unknownFields(keys: readonly string[]): string {
  const names = keys.filter((key) => /^[A-Za-z_][\w-]{0,39}$/.test(key)).slice(0, NAMES_MAX)
  if (names.length === 0) {
    return 'There is a field here that this tool does not have.'
  }
  const more = keys.length > names.length ? ` and ${keys.length - names.length} more` : ''
  return `This tool has no ${keys.length === 1 ? 'field' : 'fields'} ${names.join(', ')}${more}.`
}

/** Replaces messages that name a REST endpoint with ones that name the MCP tool to call. */
const MCP_MESSAGES: Partial<Record<ApiErrorCode, (apiError: ApiError) => string>> = {
  tenantPaused: ({ details }) =>
    `This tenant is paused (${String(details?.pause_reason ?? 'a hard cap is used up')}). Claiming it lifts the pause: ask the user, then call claim_tenant. tenant_status and give_feedback work meanwhile.`,
  tenantSuspended: () =>
    'The operator of this service suspended this tenant. Nothing is lost. tenant_status has the reason in `suspension`: tell the user. give_feedback reaches the operator.',
  tenantExpired: () =>
    'This tenant has ended: a guest that was not claimed within 72 hours, or a project that its owner deleted. Create a new one with create_tenant if the user agrees; for one that was created under an idempotency_key, with another key.',
  alreadyClaimed: () =>
    'This tenant already has an owner, so there is nothing to claim. Its keys keep working; its owner finds it under /account.',
}

/** The text of an API error for an agent: the code, the message, and one line for each invalid argument. */
function errorText(apiError: ApiError): string {
  const message = MCP_MESSAGES[apiError.code]?.(apiError) ?? apiError.message
  const problems = (apiError.details?.problems ?? []) as readonly InputProblem[]
  const lines = problems.map(({ path, problem }) => `- ${path === '' ? '' : `${path}: `}${problem}`)
  return scrubText([`${apiError.code}: ${message}`, ...lines].join('\n'))
}
