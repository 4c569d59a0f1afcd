import { OAUTH_ERRORS } from '@gatehouse-auth/contract'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import words from '../../../content/words.json' with { type: 'json' }
import {
  ClientDocumentError,
  OAuthError,
  type OAuthErrorCode,
} from '../../domain/oauth/oauth-error.ts'
import type { Call, HttpDependencies } from '../dependencies.ts'
import { errorPage } from '../pages/error-page.ts'
import { type Problem, problemOf } from '../problem.ts'
import { page, reportOf, wantsPage } from '../responses.ts'
import { noStoreHeaders } from './cors.ts'

/** Reports an error as OAuth JSON. The only place that writes it (RFC 6749, section 5.2). */
export function oauthProblem(deps: HttpDependencies, c: Call, error: unknown): Response {
  return json(c, toLoggedProblem(deps, c, error))
}

/**
 * Reports an error of the authorization endpoint without redirecting (`startAuthorization` says when). Browsers get a page;
 * clients that check the URL before they open it (mcp-remote) get JSON. invalid_client is 400, because no client authenticates at this endpoint.
 */
export function authorizeProblem(deps: HttpDependencies, c: Call, error: unknown): Response {
  const problem = toLoggedProblem(deps, c, error)
  const status = problem.error === 'invalid_client' ? 400 : problem.status
  if (!wantsPage(c)) {
    return json(c, { ...problem, status })
  }
  for (const [name, value] of Object.entries(problem.headers)) {
    c.header(name, value)
  }
  const { title, message } = textOf(error, problem)
  const report = reportOf(deps, c, { code: problem.error, status, message: problem.description })
  const { operator } = deps
  return page(
    c,
    errorPage({ status, title, message, report, requestId: c.get('requestId'), operator }),
    status,
  )
}

const TEXTS: Partial<Record<OAuthErrorCode, { readonly title: string; readonly message: string }>> =
  words.oauthErrors

/** The reader of the page may run this service, and can then mend what keeps it from reading the document. */
function textOf(error: unknown, problem: OAuthProblem): { title: string; message: string } {
  if (error instanceof ClientDocumentError) {
    return { title: words.clientDocumentError.title, message: problem.description }
  }
  return TEXTS[problem.error] ?? words.oauthErrors.invalid_request
}

/** An error as RFC 6749, section 5.2 defines it. */
interface OAuthProblem {
  readonly status: number
  readonly error: OAuthErrorCode
  readonly description: string
  readonly headers: Readonly<Record<string, string>>
}

function json(c: Call, { status, error, description, headers }: OAuthProblem): Response {
  noStoreHeaders(c)
  for (const [name, value] of Object.entries(headers)) {
    c.header(name, value)
  }
  return c.json({ error, error_description: description }, status as ContentfulStatusCode)
}

// 401 invalid_client makes clients register again; with another status they would keep using the unknown client id.
const STATUS: Partial<Record<OAuthErrorCode, number>> = OAUTH_ERRORS

const ERRORS: Partial<Record<Problem['code'], OAuthErrorCode>> = {
  rateLimited: 'too_many_requests',
  temporarilyUnavailable: 'temporarily_unavailable',
  outcomeUnknown: 'temporarily_unavailable',
  internalError: 'server_error',
}

function toLoggedProblem({ ctx }: HttpDependencies, c: Call, error: unknown): OAuthProblem {
  if (error instanceof OAuthError) {
    return {
      status: STATUS[error.error] ?? 400,
      error: error.error,
      description: error.message,
      headers: {},
    }
  }
  const problem = problemOf(error)
  if (problem.mustLog) {
    ctx.log.error(`${c.get('requestId')} ${c.get('route')}: ${problem.code}`, error)
  }
  const oauthError = ERRORS[problem.code]
  return {
    error: oauthError ?? 'invalid_request',
    status: oauthError === undefined && problem.code !== 'bodyTooLarge' ? 400 : problem.status,
    description: problem.message,
    headers: problem.headers,
  }
}
