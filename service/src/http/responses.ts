import { HEADERS } from '@gatehouse/contract'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Call, HttpDependencies } from './dependencies.ts'
import { pageHeaders, scriptedPageHeaders } from './headers.ts'
import { errorPage, errorText } from './pages/error-page.ts'
import type { Html } from './pages/markup.ts'
import { type Problem, problemBody, problemOf } from './problem.ts'

/** Lowercased, because media types are case-insensitive (RFC 9110, section 8.3.1). */
export const acceptOf = (c: Call): string => (c.req.header('accept') ?? '').toLowerCase()

/** True for browsers, which accept HTML; API clients get JSON. */
export const wantsPage = (c: Call): boolean => acceptOf(c).includes('text/html')

export function page(c: Call, html: Html, status = 200, formActions: readonly string[] = []): Response {
  pageHeaders(c, formActions)
  return c.html(html, status as ContentfulStatusCode)
}

/** A page of the console. Unlike pages with one decision (consent, claim), it may have scripts of this site. */
export function scriptedPage(c: Call, html: Html, status = 200, formActions: readonly string[] = []): Response {
  scriptedPageHeaders(c, formActions)
  return c.html(html, status as ContentfulStatusCode)
}

/** Reports an error as JSON. The only place that writes error bodies under /api and /edge. */
export function jsonProblem({ ctx }: HttpDependencies, c: Call, error: unknown): Response {
  const problem = toLoggedProblem(c, ctx.log, error)
  for (const [name, value] of Object.entries(problem.headers)) c.header(name, value)
  return c.json(problemBody(problem, c.get('requestId'), ctx.baseUrl), problem.status as ContentfulStatusCode)
}

/** Reports an error as a page if the client accepts HTML, otherwise as JSON. `app`: where the app is, if known. */
export function pageProblem(deps: HttpDependencies, c: Call, error: unknown, app: string | null = null): Response {
  if (!wantsPage(c)) return jsonProblem(deps, c, error)
  const problem = toLoggedProblem(c, deps.ctx.log, error)
  for (const [name, value] of Object.entries(problem.headers)) c.header(name, value)
  const wait = waitOf(problem)
  const html = errorPage({
    operator: deps.operator,
    ...errorText(problem, deps.ctx.now()),
    status: problem.status,
    requestId: c.get('requestId'),
    ...wayBack(problem, app),
    ...wait,
    // A month is too long to wait at a button.
    canRetry: problem.retryable && c.req.method === 'GET' && problem.details?.window !== 'month',
  })
  return 'waitSeconds' in wait ? scriptedPage(c, html, problem.status) : page(c, html, problem.status)
}

/** An exhausted month is named by the date of its end. */
function waitOf({ status, details, headers }: Problem): { waitSeconds?: number } {
  const seconds = Number(headers[HEADERS.retryAfter])
  return status === 429 && details?.window !== 'month' && seconds > 0 ? { waitSeconds: seconds } : {}
}

/** A link back to the app. `details.app` is set only if this browser started the login there. */
function wayBack({ details }: Problem, known: string | null): { wayBack?: { href: string; label: string } } {
  const app = details?.app ?? known
  return typeof app === 'string' ? { wayBack: { href: app, label: `Go to ${new URL(app).host}` } } : {}
}

function toLoggedProblem(c: Call, log: HttpDependencies['ctx']['log'], error: unknown): Problem {
  const problem = problemOf(error)
  if (problem.mustLog) log.error(`${c.get('requestId')} ${c.get('route')}: ${problem.code}`, error)
  return problem
}
