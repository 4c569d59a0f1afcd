import { API_ERRORS, type ApiErrorCode, HEADERS } from '@gatehouse/contract'
import { inWords } from '../duration.ts'
import { either, type NextStep, Problem } from '../problem.ts'
import { oneLine } from '../safe-text.ts'
import type { ApiResponse } from './request.ts'
import { notGatehouse } from './wrong-service.ts'

interface Refused {
  readonly code: string
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
  readonly retryAfterSeconds: number | null
}

interface Words {
  readonly message?: (refused: Refused) => string
  readonly next: (refused: Refused) => NextStep
}

/** What the service refuses, said for this side of the wire: commands and tools instead of endpoints. */
const WORDS: Partial<Record<ApiErrorCode, Words>> = {
  tenantPaused: {
    message: ({ details }) =>
      `This tenant is paused: it used up what a guest may use (${oneLine(String(details.pause_reason ?? 'a hard cap'))}).`,
    next: () => ({
      cli: 'Claiming it lifts the pause: gatehouse-local claim',
      agent: 'Claiming it lifts the pause: ask the user, then call claim_tenant. tenant_status and give_feedback work.',
    }),
  },
  tenantExpired: {
    message: () =>
      'This tenant has ended: a guest that nobody claimed within 72 hours, or a project its owner deleted.',
    next: () => ({
      cli: 'Move .service away (mv .service .service.old), then create a new one: gatehouse-local init',
      agent: 'Ask the user to move .service away; then, if they want a new tenant, call create_tenant.',
    }),
  },
  invalidCredentials: {
    message: () => 'The service does not accept the key in .service: it was replaced, or its tenant is long gone.',
    next: () => ({
      cli: 'If you own the project, download its file again under /account of the service; else move .service away and run: gatehouse-local init',
      agent: 'Ask the user whether the keys were replaced. Do not overwrite .service.',
    }),
  },
  invalidRequest: { next: () => either('Put that right, and try again.') },
  rateLimited: {
    message: ({ details }) =>
      `Too many requests: the allowance for this ${oneLine(String(details.window ?? 'minute'))} is used up.`,
    next: ({ retryAfterSeconds }) => either(`Try again in ${inWords(retryAfterSeconds ?? 60)}.`),
  },
  notProvisioned: {
    message: () => 'Social login is not set up for this tenant yet.',
    next: () => ({
      cli: 'Say where people return to after signing in: gatehouse-local provision <url>',
      agent: 'Ask the user for the callback URL, then call provision_resource.',
    }),
  },
  alreadyClaimed: {
    message: () => 'This tenant already has an owner, so there is nothing to claim. Its keys go on working.',
    next: () => either('Whoever owns it finds it under /account of the service.'),
  },
  temporarilyUnavailable: {
    message: () => 'The service cannot do this right now: something it depends on is out of reach.',
    next: ({ retryAfterSeconds }) => either(`Nothing was changed. Try again in ${inWords(retryAfterSeconds ?? 5)}.`),
  },
}

export function apiErrorOf(service: string, response: ApiResponse, json: unknown): Problem {
  const { error } = (json ?? {}) as { error?: { code?: unknown; message?: unknown; details?: unknown } }
  if (typeof error?.code !== 'string') return notGatehouse(service, response.status)
  const after = Number(response.headers.get(HEADERS.retryAfter) ?? Number.NaN)
  const retryAfterSeconds = Number.isFinite(after) ? after : null
  const details = (error.details ?? {}) as Record<string, unknown>
  const message = oneLine(String(error.message ?? 'The service refused without saying why.'))
  const refused: Refused = { code: error.code, message, details, retryAfterSeconds }
  const code = (error.code in API_ERRORS ? error.code : 'unexpected') as ApiErrorCode
  const words = WORDS[code]
  const requestId = oneLine(response.headers.get(HEADERS.requestId) ?? 'none')
  return new Problem(
    code,
    words?.message?.(refused) ?? message,
    words?.next(refused) ?? either(`More about it: ${service}/docs/errors (request id ${requestId}).`),
    { lines: linesOf(details), ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }) },
  )
}

function linesOf({ problems }: Readonly<Record<string, unknown>>): string[] {
  if (!Array.isArray(problems)) return []
  return problems.map(({ path, problem }) => oneLine(path ? `${path}: ${problem}` : String(problem)))
}
