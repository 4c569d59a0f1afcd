import type { ApiErrorCode } from '@gatehouse/contract'
import type { ApiError, InputProblem } from '../../domain/api-error.ts'
import { scrubText } from './scrub.ts'

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
export function errorText(apiError: ApiError): string {
  const message = MCP_MESSAGES[apiError.code]?.(apiError) ?? apiError.message
  const problems = (apiError.details?.problems ?? []) as readonly InputProblem[]
  const lines = problems.map(({ path, problem }) => `- ${path === '' ? '' : `${path}: `}${problem}`)
  return scrubText([`${apiError.code}: ${message}`, ...lines].join('\n'))
}
