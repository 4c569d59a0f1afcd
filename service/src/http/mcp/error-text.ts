import type { ApiErrorCode } from '@gatehouse/contract'
import type { ApiError } from '../../domain/api-error.ts'
import type { ArgumentProblem } from './argument-problems.ts'
import { scrubText } from './scrub.ts'

/** Where the usual sentence names a REST endpoint, an agent at this door is told which tool to call. */
const HERE: Partial<Record<ApiErrorCode, (apiError: ApiError) => string>> = {
  tenantPaused: ({ details }) =>
    `This tenant is paused (${String(details?.pause_reason ?? 'a hard cap is used up')}). Claiming it lifts the pause: ask the user, then call claim_tenant. tenant_status and give_feedback work meanwhile.`,
  tenantExpired: () =>
    'This tenant has ended: a guest that nobody claimed within 72 hours, or a project that its owner deleted. Create a new one with create_tenant if the user agrees; for one that was created under an idempotency_key, with another key.',
  alreadyClaimed: () =>
    'This tenant already has an owner, so there is nothing to claim. Its keys go on working; whoever owns it finds it under /account.',
}

/** What an agent reads: which refusal it is, what is so, and what to do about it. */
export function errorText(apiError: ApiError): string {
  const message = HERE[apiError.code]?.(apiError) ?? apiError.message
  const problems = (apiError.details?.problems ?? []) as readonly ArgumentProblem[]
  const lines = problems.map(({ path, problem }) => `- ${path === '' ? '' : `${path}: `}${problem}`)
  return scrubText([`${apiError.code}: ${message}`, ...lines].join('\n'))
}
