import { OAUTH_ERRORS } from '@gatehouse/contract'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { OAuthError, type OAuthErrorCode } from '../../domain/oauth/oauth-error.ts'
import type { Call, HttpDependencies } from '../dependencies.ts'
import { errorPage } from '../pages/error-page.ts'
import { type Problem, problemOf } from '../problem.ts'
import { page, wantsPage } from '../responses.ts'
import { noStoreHeaders } from './cors.ts'

/** What went wrong, in OAuth's words. */
interface OAuthProblem {
  readonly status: number
  readonly error: OAuthErrorCode
  readonly description: string
  readonly headers: Readonly<Record<string, string>>
}

// Clients that hear 401 invalid_client register again; anything else would leave them stuck with an id we do not know.
const STATUS: Partial<Record<OAuthErrorCode, number>> = OAUTH_ERRORS

const ERRORS: Partial<Record<Problem['code'], OAuthErrorCode>> = {
  rateLimited: 'too_many_requests',
  temporarilyUnavailable: 'temporarily_unavailable',
  internalError: 'server_error',
}

/** A refusal or a failure as a body: the only place where one gets OAuth's shape (RFC 6749, section 5.2). */
export function oauthProblem(deps: HttpDependencies, c: Call, error: unknown): Response {
  return json(c, noted(deps, c, error))
}

/**
 * The same for a browser that a client sent here and that cannot be sent back: a page for a person, and JSON for the
 * programs that look before they send somebody (mcp-remote). It is 400 for both: nobody can sign in as a client here.
 */
export function authorizeProblem(deps: HttpDependencies, c: Call, error: unknown): Response {
  const problem = noted(deps, c, error)
  const status = problem.error === 'invalid_client' ? 400 : problem.status
  if (!wantsPage(c)) return json(c, { ...problem, status })
  for (const [name, value] of Object.entries(problem.headers)) c.header(name, value)
  const { title, message } = WORDS[problem.error] ?? INVALID_REQUEST
  return page(
    c,
    errorPage({ status, title, message, detail: problem.description, requestId: c.get('requestId') }),
    status,
  )
}

const INVALID_REQUEST = {
  title: 'This request isn’t valid',
  message: 'An application sent you here with an invalid request. Nothing was allowed. Go back and start again.',
}

const WORDS: Partial<Record<OAuthErrorCode, { readonly title: string; readonly message: string }>> = {
  invalid_client: {
    title: 'Unknown application',
    message: 'The application that sent you here isn’t registered. Nothing was allowed. Go back and start again.',
  },
  too_many_requests: {
    title: 'Too many requests right now',
    message: 'Too many requests came from your network. Nothing was allowed. Try again in a minute.',
  },
  temporarily_unavailable: {
    title: 'This is not available right now',
    message: 'A system that this page needs is down. Nothing was allowed, and nothing is lost: try again in a moment.',
  },
  server_error: { title: 'Something went wrong', message: 'We made a mistake. Nothing was allowed.' },
}

function json(c: Call, { status, error, description, headers }: OAuthProblem): Response {
  noStoreHeaders(c)
  for (const [name, value] of Object.entries(headers)) c.header(name, value)
  return c.json({ error, error_description: description }, status as ContentfulStatusCode)
}

function noted({ ctx }: HttpDependencies, c: Call, error: unknown): OAuthProblem {
  if (error instanceof OAuthError) {
    return { status: STATUS[error.error] ?? 400, error: error.error, description: error.message, headers: {} }
  }
  const problem = problemOf(error)
  if (problem.mustLog) ctx.log.error(`${c.get('requestId')} ${c.get('route')}: ${problem.code}`, error)
  const known = ERRORS[problem.code]
  return {
    error: known ?? 'invalid_request',
    status: known === undefined && problem.code !== 'bodyTooLarge' ? 400 : problem.status,
    description: problem.message,
    headers: problem.headers,
  }
}
