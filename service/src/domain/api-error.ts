import type { ApiErrorCode } from '@gatehouse-auth/contract'
import type { Instant } from './time.ts'

interface ApiErrorOptions {
  /** For the caller, in `error.details`. Never contains a secret or the caller's input. */
  readonly details?: Readonly<Record<string, unknown>>
  readonly retryAfterSeconds?: number
  /** When the guest tenant ends, for pages, which name the day. Not part of the response body. */
  readonly tenantEndsAt?: Instant | null
}

/** An error response with a documented code. REST, MCP and pages each render it in their own form. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ApiErrorCode
  readonly details: Readonly<Record<string, unknown>> | undefined
  readonly retryAfterSeconds: number | undefined
  readonly tenantEndsAt: Instant | null

  constructor(code: ApiErrorCode, message: string, options: ApiErrorOptions = {}) {
    super(message)
    this.code = code
    this.details = options.details
    this.retryAfterSeconds = options.retryAfterSeconds
    this.tenantEndsAt = options.tenantEndsAt ?? null
  }
}

export interface InputProblem {
  /** Such as `callback_urls[2]`; empty for the whole body. */
  readonly path: string
  readonly problem: string
}

/** The error for an invalid request, with the path of each problem. */
export function invalidRequest(message: string, problems: readonly InputProblem[]): ApiError {
  const listed = listedProblems(problems)
  const rest =
    listed.length === problems.length
      ? ''
      : ` The first ${listed.length} of ${problems.length} problems are listed.`
  return new ApiError('invalidRequest', message + rest, { details: { problems: listed } })
}

const PROBLEMS_MAX = 20
const PROBLEMS_MAX_BYTES = 8 * 1_024
const PATH_MAX_CHARACTERS = 200

/** Prevents amplification: of a small request with thousands of problems, 20 are listed, in at most 8 KB. */
export function listedProblems(problems: readonly InputProblem[]): readonly InputProblem[] {
  const listed: InputProblem[] = []
  let bytes = '[]'.length
  for (const { path, problem } of problems.slice(0, PROBLEMS_MAX)) {
    const next = { path: path.slice(0, PATH_MAX_CHARACTERS), problem }
    bytes += Buffer.byteLength(JSON.stringify(next)) + ','.length
    if (bytes > PROBLEMS_MAX_BYTES) {
      break
    }
    listed.push(next)
  }
  return listed
}

/** A dependency is unreachable or a queue is full: 503, nothing was consumed, and the same request may be retried. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable'
  readonly retryAfterSeconds: number
  /** The cause is already in the log, so the request does not log it again. */
  readonly logged: boolean

  constructor(
    message: string,
    options: { cause?: unknown; retryAfterSeconds?: number; logged?: boolean } = {},
  ) {
    super(message, { cause: options.cause })
    this.retryAfterSeconds = options.retryAfterSeconds ?? 1
    this.logged = options.logged ?? false
  }
}

/**
 * The connection to the database broke during a commit, and the outcome could not be looked up: the change may have been
 * made. The response must not say that nothing was consumed.
 */
export class OutcomeUnknown extends Unavailable {
  /** For the caller: how to find out. null: sending the request again is safe. */
  readonly advice: string | null

  constructor({ cause, advice = null }: { cause: unknown; advice?: string | null }) {
    super('the outcome of a commit is unknown', { cause, retryAfterSeconds: 5 })
    this.advice = advice
  }
}
