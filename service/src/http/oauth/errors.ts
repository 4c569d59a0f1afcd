import { OAUTH_ERRORS } from '@gatehouse-auth/contract'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
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

/** The name and status of one of our errors in OAuth. */
type NameError = (
  code: Problem['code'],
  status: number,
) => { readonly error: OAuthErrorCode; readonly status: number }

/** Reports an error as OAuth JSON. The only place that writes it (RFC 6749, section 5.2). */
export function oauthProblem(
  deps: HttpDependencies,
  c: Call,
  error: unknown,
  nameError: NameError = nameOwnError,
): Response {
  return json(c, toLoggedProblem(deps, c, error, nameError))
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

interface PageText {
  readonly title: string
  readonly message: string
}

const INVALID_REQUEST: PageText = {
  title: 'This request isn’t valid',
  message:
    'An application sent you here with an invalid request. Nothing was allowed. Go back and start again.',
}

const TEXTS: Readonly<Partial<Record<OAuthErrorCode, PageText>>> = {
  invalid_client: {
    title: 'Unknown application',
    message:
      'The application that sent you here isn’t registered. Nothing was allowed. Go back and start again.',
  },
  too_many_requests: {
    title: 'Too many requests right now',
    message:
      'Too many requests came from your network. Nothing was allowed. Try again in a minute.',
  },
  temporarily_unavailable: {
    title: 'This is not available right now',
    message:
      'A system that this page needs is down. Nothing was allowed, and nothing is lost: try again in a moment.',
  },
  server_error: {
    title: 'Something went wrong',
    message: 'Something failed on our side. Nothing was allowed.',
  },
}

/** The reader of the page may run this service, and can then mend what keeps it from reading the document. */
function textOf(error: unknown, problem: OAuthProblem): PageText {
  if (error instanceof ClientDocumentError) {
    return { title: 'This application’s description can’t be used', message: problem.description }
  }
  return TEXTS[problem.error] ?? INVALID_REQUEST
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

function nameOwnError(code: Problem['code'], status: number) {
  const error = ERRORS[code]
  const isOwnStatus = error !== undefined || code === 'bodyTooLarge'
  const named = error ?? 'invalid_request'
  return { error: named, status: isOwnStatus ? status : 400 } as const
}

function toLoggedProblem(
  { ctx }: HttpDependencies,
  c: Call,
  error: unknown,
  nameError: NameError = nameOwnError,
): OAuthProblem {
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
  return {
    ...nameError(problem.code, problem.status),
    description: problem.message,
    headers: problem.headers,
  }
}
