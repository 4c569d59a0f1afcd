import { API_ERRORS, type ApiErrorCode, HEADERS } from '@gatehouse/contract'
import { formatDuration } from '../duration.ts'
import { commandLine } from '../invocation.ts'
import { type NextStep, nextStep, Problem } from '../problem.ts'
import { singleLine } from '../redact.ts'
import { notGatehouse } from './api-version.ts'
import type { ApiResponse } from './request.ts'

interface ApiErrorBody {
  readonly code: string
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
  readonly retryAfterSeconds: number | null
}

interface ErrorText {
  readonly message?: (error: ApiErrorBody) => string
  readonly next: (error: ApiErrorBody) => NextStep
}

/** Messages that name commands and tools where the API's own message names endpoints. */
const TEXTS: Partial<Record<ApiErrorCode, ErrorText>> = {
  tenantPaused: {
    message: ({ details }) =>
      `This tenant is paused: it reached a guest limit (${singleLine(String(details.pause_reason ?? 'a hard cap'))}).`,
    next: () => ({
      cli: `Claim it to resume: ${commandLine('claim')}`,
      agent: 'Claiming resumes it: ask the user, then call claim_tenant. tenant_status and give_feedback still work.',
    }),
  },
  tenantSuspended: {
    message: () => 'The operator of the service suspended this tenant. Nothing is lost.',
    next: () => ({
      cli: `Read the reason: ${commandLine('status')}. Answer the operator: ${commandLine('feedback')}`,
      agent: 'Tell the user the reason, `suspension` in tenant_status. give_feedback reaches the operator.',
    }),
  },
  tenantExpired: {
    message: () => 'This tenant has expired: it was not claimed within 72 hours, or its owner deleted it.',
    next: () => ({
      cli: `Create a new one: mv .service .service.old && ${commandLine('init')}`,
      agent: 'Ask the user to rename .service; then, if they want a new tenant, call create_tenant.',
    }),
  },
  invalidCredentials: {
    message: () => 'The service rejects the key in .service: the key was replaced, or the tenant was deleted.',
    next: () => ({
      cli: `If you own the project, download its file again at /account of the service. Otherwise rename .service and run: ${commandLine('init')}`,
      agent: 'Ask the user whether the keys were replaced. Do not overwrite .service.',
    }),
  },
  invalidRequest: { next: () => nextStep('Correct the input and try again.') },
  rateLimited: {
    message: ({ details }) =>
      `Rate limited: the limit for this ${singleLine(String(details.window ?? 'minute'))} is reached.`,
    next: ({ retryAfterSeconds }) => nextStep(`Try again in ${formatDuration(retryAfterSeconds ?? 60)}.`),
  },
  notProvisioned: {
    message: () => 'Social login is not set up for this tenant yet.',
    next: () => ({
      cli: `Register a callback URL: ${commandLine('provision <callback URL>')}`,
      agent: 'Ask the user for the callback URL, then call provision_resource.',
    }),
  },
  alreadyClaimed: {
    message: () => 'This tenant is already claimed. Its keys keep working.',
    next: () => nextStep('Its owner can manage it at /account of the service.'),
  },
  projectLimit: {
    message: ({ details }) =>
      `The account owns ${singleLine(String(details.limit ?? 'all'))} projects, as many as it may.`,
    next: () => nextStep('Delete a project at /account of the service, or ask its operator to raise the limit.'),
  },
  outcomeUnknown: {
    next: () => ({
      cli: 'Find out first; then run the command again.',
      agent: 'Do not repeat the call on your own: tell the user, and let them decide.',
    }),
  },
  temporarilyUnavailable: {
    message: () => 'The service is temporarily unavailable.',
    next: ({ retryAfterSeconds }) =>
      nextStep(`Nothing was changed. Try again in ${formatDuration(retryAfterSeconds ?? 5)}.`),
  },
}

export function apiErrorOf(service: string, response: ApiResponse, json: unknown): Problem {
  const { error } = (json ?? {}) as { error?: { code?: unknown; message?: unknown; details?: unknown } }
  if (typeof error?.code !== 'string') return notGatehouse(service, response.status)
  const after = Number(response.headers.get(HEADERS.retryAfter) ?? Number.NaN)
  const retryAfterSeconds = Number.isFinite(after) ? after : null
  const details = (error.details ?? {}) as Record<string, unknown>
  const message = singleLine(String(error.message ?? 'The service rejected the request.'))
  const body: ApiErrorBody = { code: error.code, message, details, retryAfterSeconds }
  const code = (Object.hasOwn(API_ERRORS, error.code) ? error.code : 'unexpected') as ApiErrorCode
  const text = TEXTS[code]
  const requestId = singleLine(response.headers.get(HEADERS.requestId) ?? 'none')
  return new Problem(
    code,
    text?.message?.(body) ?? message,
    text?.next(body) ?? nextStep(`See ${service}/docs/errors (request id ${requestId}).`),
    { lines: linesOf(details), ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }) },
  )
}

function linesOf({ problems }: Readonly<Record<string, unknown>>): string[] {
  if (!Array.isArray(problems)) return []
  return problems.map(({ path, problem }) => singleLine(path ? `${path}: ${problem}` : String(problem)))
}
