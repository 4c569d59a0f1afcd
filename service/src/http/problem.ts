import { API_ERRORS, type ApiErrorCode, HEADERS } from '@gatehouse-auth/contract'
import { ApiError, OutcomeUnknown, Unavailable } from '../domain/api-error.ts'
import { defined } from '../domain/defined.ts'
import type { Rate } from '../domain/limits/rate.ts'
import { rateHeaders } from './headers.ts'

/** An error, independent of the protocol that reports it: JSON, HTML, OAuth or MCP. */
export interface Problem {
  readonly code: ApiErrorCode
  readonly status: number
  readonly message: string
  readonly retryable: boolean
  readonly details: Readonly<Record<string, unknown>> | undefined
  readonly tenantEndsAt?: number | null
  readonly headers: Readonly<Record<string, string>>
  /** The service or one of its dependencies failed, so the cause must be logged. */
  readonly mustLog: boolean
}

export function problemOf(error: unknown): Problem {
  if (error instanceof ApiError) {
    return problem(error.code, error.message, {
      details: error.details,
      tenantEndsAt: error.tenantEndsAt,
      retryAfterSeconds: error.retryAfterSeconds,
      headers: limitHeaders(error),
    })
  }
  if (error instanceof OutcomeUnknown) {
    const { advice, retryAfterSeconds } = error
    const message =
      'Something this service depends on became unreachable while your change was saved.'
    return advice === null
      ? problem(
          'temporarilyUnavailable',
          `${message} It may have been made; sending the same request again is safe.`,
          {
            retryAfterSeconds,
            mustLog: true,
          },
        )
      : problem('outcomeUnknown', `${message} ${advice}`, { retryAfterSeconds, mustLog: true })
  }
  if (error instanceof Unavailable) {
    return problem(
      'temporarilyUnavailable',
      'Something this service depends on is out of reach. Nothing was consumed: send the same request again.',
      { retryAfterSeconds: error.retryAfterSeconds, mustLog: !error.logged },
    )
  }
  return problem('internalError', 'We made a mistake. Tell the operator this request id.', {
    mustLog: true,
  })
}

interface ProblemOptions {
  readonly details?: Problem['details']
  readonly tenantEndsAt?: number | null
  readonly retryAfterSeconds?: number | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly mustLog?: boolean
}

const CHALLENGE: Partial<Record<ApiErrorCode, string>> = {
  missingCredentials: 'Bearer realm="gatehouse"',
  invalidCredentials: 'Bearer realm="gatehouse", error="invalid_token"',
  invalidAccessToken: 'Bearer realm="gatehouse", error="invalid_token"',
  wrongKeyKind: 'Bearer realm="gatehouse", error="insufficient_scope"',
}

function problem(code: ApiErrorCode, message: string, options: ProblemOptions): Problem {
  const challenge = CHALLENGE[code]
  return {
    code,
    message,
    status: API_ERRORS[code].status,
    retryable: API_ERRORS[code].retryable,
    details: options.details,
    tenantEndsAt: options.tenantEndsAt ?? null,
    mustLog: options.mustLog ?? false,
    headers: {
      ...options.headers,
      ...defined({ 'WWW-Authenticate': challenge }),
      ...(options.retryAfterSeconds === undefined
        ? {}
        : { [HEADERS.retryAfter]: String(options.retryAfterSeconds) }),
    },
  }
}

/** An exhausted limit is reported in the RateLimit headers too, for clients that do not parse error bodies. */
function limitHeaders({ code, details, retryAfterSeconds }: ApiError): Record<string, string> {
  if (code !== 'rateLimited' || details === undefined) {
    return {}
  }
  return rateHeaders(
    { ...(details as Pick<Rate, 'window' | 'limit'>), left: 0 },
    retryAfterSeconds ?? null,
  )
}

/** The JSON body of every error under /api and /edge. */
export const problemBody = (
  { code, message, retryable, details }: Problem,
  requestId: string,
  baseUrl: string,
) => ({
  error: {
    code,
    message,
    retryable,
    request_id: requestId,
    docs_url: `${baseUrl}/docs/errors#${code}`,
    ...defined({ details }),
  },
})
