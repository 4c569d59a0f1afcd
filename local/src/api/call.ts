import { API_ERRORS, type ApiErrorCode, type Endpoint, HEADERS } from '@gatehouse-auth/contract'
import type { z } from 'zod'
import { formatDuration } from '../duration.ts'
import { commandLine } from '../invocation.ts'
import { parseJson } from '../json.ts'
import { type NextStep, nextStep, Problem, singleLine } from '../problem.ts'
import {
  type ApiResponse,
  notGatehouse,
  request,
  requireVersion,
  unexpectedResponse,
} from './request.ts'

export interface CallOptions {
  readonly bearer?: string
  /** The values of `:name` in the path. */
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: unknown
  /** The body of an endpoint that takes a file or lines. */
  readonly file?: Uint8Array | string
  readonly extraTimeoutMs?: number
}

/** Calls an endpoint and parses its response by the contract. Everything else throws a Problem. */
export async function call<E extends Endpoint>(
  service: string,
  endpoint: E,
  { bearer, params = {}, query = {}, body, file, extraTimeoutMs = 0 }: CallOptions = {},
): Promise<ReturnType<E['ok']['body']['parse']>> {
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
  const sent = file ?? (body === undefined ? undefined : JSON.stringify(body))
  const response = await request(service, endpoint.method, pathOf(endpoint, params, search), {
    headers: {
      ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }),
      ...(sent === undefined
        ? {}
        : { 'Content-Type': endpoint.fileBody ?? endpoint.textBody?.type ?? 'application/json' }),
    },
    ...(sent === undefined ? {} : { body: sent }),
    extraTimeoutMs,
  })
  requireVersion(service, response)
  const isFailure = response.status < 200 || response.status > 299
  const json =
    endpoint.ok.textTypes === undefined || isFailure ? parseJson(response.text) : response.text
  if (isFailure) {
    throw apiErrorOf(service, response, json)
  }
  const read = readResponse(endpoint.ok.body, json)
  if (read === undefined) {
    throw unexpectedResponse(service)
  }
  return read as ReturnType<E['ok']['body']['parse']>
}

function pathOf(
  { path }: Endpoint,
  params: NonNullable<CallOptions['params']>,
  search: string,
): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  )
  return search === '' ? filled : `${filled}?${search}`
}

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
      agent:
        'Claiming resumes it: ask the user, then call claim_tenant. tenant_status and give_feedback still work.',
    }),
  },
  tenantSuspended: {
    message: () => 'The operator of the service suspended this tenant. Nothing is lost.',
    next: () => ({
      cli: `Read the reason: ${commandLine('status')}. Answer the operator: ${commandLine('feedback')}`,
      agent:
        'Tell the user the reason, `suspension` in tenant_status. give_feedback reaches the operator.',
    }),
  },
  tenantExpired: {
    message: () =>
      'This tenant has expired: it was not claimed within 72 hours, or its owner deleted it.',
    next: () => ({
      cli: `Create a new one: mv .service .service.old && ${commandLine('init')}`,
      agent:
        'Ask the user to rename .service; then, if they want a new tenant, call create_tenant.',
    }),
  },
  invalidCredentials: {
    message: () =>
      'The service rejects the key in .service: the key was replaced, or the tenant was deleted.',
    next: () => ({
      cli: `If you own the project, download its file again at /account of the service. Otherwise rename .service and run: ${commandLine('init')}`,
      agent: 'Ask the user whether the keys were replaced. Do not overwrite .service.',
    }),
  },
  invalidRequest: { next: () => nextStep('Correct the input and try again.') },
  rateLimited: {
    message: ({ details }) =>
      `Rate limited: the limit for this ${singleLine(String(details.window ?? 'minute'))} is reached.`,
    next: ({ retryAfterSeconds }) =>
      nextStep(`Try again in ${formatDuration(retryAfterSeconds ?? 60)}.`),
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
    next: () =>
      nextStep(
        'Delete a project at /account of the service, or ask its operator to raise the limit.',
      ),
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

function apiErrorOf(service: string, response: ApiResponse, json: unknown): Problem {
  const { error } = (json ?? {}) as {
    error?: { code?: unknown; message?: unknown; details?: unknown }
  }
  if (typeof error?.code !== 'string') {
    return notGatehouse(service, response.status)
  }
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
  if (!Array.isArray(problems)) {
    return []
  }
  return problems.map(({ path, problem }) =>
    singleLine(path ? `${path}: ${problem}` : String(problem)),
  )
}

/**
 * Parses a response by the contract and ignores unknown fields: a newer service may add fields within one API version.
 * undefined when the response does not match.
 */
function readResponse(schema: z.ZodType, response: unknown): unknown {
  const read = schema.safeParse(response)
  if (read.success) {
    return read.data
  }
  const known = structuredClone(response)
  for (const issue of read.error.issues) {
    if (issue.code !== 'unrecognized_keys') {
      return undefined
    }
    const holder = issue.path.reduce<unknown>(
      (at, part) => (at as Record<PropertyKey, unknown>)?.[part],
      known,
    )
    for (const key of issue.keys) {
      delete (holder as Record<string, unknown>)[key]
    }
  }
  const reread = schema.safeParse(known)
  return reread.success ? reread.data : undefined
}
