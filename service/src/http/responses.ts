import { API_ERRORS, HEADERS } from '@gatehouse-auth/contract'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Call, HttpDependencies } from './dependencies.ts'
import { pageHeaders, scriptedPageHeaders } from './headers.ts'
import { errorPage, errorText } from './pages/error-page.ts'
import { ENGLISH, type Language } from './pages/languages/language.ts'
import { type Html, html } from './pages/markup.ts'
import { displayText, HOST_MAX } from './pages/text.ts'
import { type Problem, problemBody, problemOf } from './problem.ts'

/** Lowercased, because media types are case-insensitive (RFC 9110, section 8.3.1). */
export const acceptOf = (c: Call): string => (c.req.header('accept') ?? '').toLowerCase()

/** True for browsers, which accept HTML; API clients get JSON. */
export const wantsPage = (c: Call): boolean => acceptOf(c).includes('text/html')

export function page(
  c: Call,
  body: Html,
  status = 200,
  formActions: readonly string[] = [],
): Response {
  pageHeaders(c, formActions)
  return htmlResponse(c, body, status)
}

/** A page of the console. Unlike pages with one decision (consent, claim), it may have scripts of this site. */
export function scriptedPage(
  c: Call,
  html: Html,
  status = 200,
  formActions: readonly string[] = [],
): Response {
  scriptedPageHeaders(c, formActions)
  return htmlResponse(c, html, status)
}

/** As a primitive string, which the server writes at once: a String object would become a web stream first. */
const htmlResponse = (c: Call, body: Html, status: number): Response =>
  c.html(body.toString(), status as ContentfulStatusCode)

/** Reports an error as JSON. The only place that writes error bodies under /api and /edge. */
export function jsonProblem({ ctx }: HttpDependencies, c: Call, error: unknown): Response {
  const problem = toLoggedProblem(c, ctx.log, error)
  for (const [name, value] of Object.entries(problem.headers)) {
    c.header(name, value)
  }
  return c.json(
    problemBody(problem, c.get('requestId'), ctx.baseUrl),
    problem.status as ContentfulStatusCode,
  )
}

/** The request that failed: this one, or the POST that redirected here. */
export interface FailedRequest {
  readonly id: string
  /** Its method and route. Without the URL, which may have secrets. */
  readonly at: string
}

export const thisRequest = (c: Call): FailedRequest => ({
  id: c.get('requestId'),
  at: `${c.req.method} ${c.get('route') ?? 'an unknown address'}`,
})

/** Reports an error as a page if the client accepts HTML, otherwise as JSON. `app`: where the app is, if known. */
export function pageProblem(
  deps: HttpDependencies,
  c: Call,
  error: unknown,
  language = ENGLISH,
  app: string | null = null,
  request = thisRequest(c),
): Response {
  if (!wantsPage(c)) {
    return jsonProblem(deps, c, error)
  }
  const problem = toLoggedProblem(c, deps.ctx.log, error)
  for (const [name, value] of Object.entries(problem.headers)) {
    c.header(name, value)
  }
  const wait = waitOf(problem)
  const body = errorPage({
    operator: deps.operator,
    language,
    ...errorText(problem, deps.ctx.now(), language),
    status: problem.status,
    requestId: request.id,
    ...wayBack(problem, app, language),
    ...wait,
    retryAt: c.req.method === 'GET' ? '' : (formPage(c.req.path) ?? '/'),
    report: reportOf(deps, c, { ...problem, fix: API_ERRORS[problem.code].remedy, request }),
    ofApp: /^\/(?:edge|auth)\//.test(c.req.path),
    // A month is too long to wait at a button.
    canRetry: problem.retryable && c.req.method === 'GET' && problem.details?.window !== 'month',
  })
  return 'waitSeconds' in wait
    ? scriptedPage(c, body, problem.status)
    : page(c, body, problem.status)
}

/** The page of a form, which its POST has no address of its own for. null: a public page, or another site's. */
export const formPage = (path: string): string | null =>
  /^\/(?:account|me|feedback|(?:claim|auth\/consent|oauth\/consent)\/[\w-]{1,100})(?=\/|$)/.exec(
    path,
  )?.[0] ?? null

export const reportOf = (
  { ctx }: HttpDependencies,
  c: Call,
  {
    code,
    status,
    message,
    fix,
    request: { id, at } = thisRequest(c),
  }: Pick<Problem, 'status' | 'message'> & { code: string; fix?: string; request?: FailedRequest },
): string[] => [
  `${code} (${status}) at ${at}`,
  `What happened: ${message}`,
  ...(fix === undefined ? [] : [`Fix: ${fix.replaceAll('`', '')}`]),
  `Request ${id}, ${new Date(ctx.now()).toISOString()}`,
  `${ctx.baseUrl}/docs/errors${Object.hasOwn(API_ERRORS, code) ? `#${code}` : ''}`,
]

/** An exhausted month is named by the date of its end. */
function waitOf({ status, details, headers }: Problem): { waitSeconds?: number } {
  const seconds = Number(headers[HEADERS.retryAfter])
  return status === 429 && details?.window !== 'month' && seconds > 0
    ? { waitSeconds: seconds }
    : {}
}

/** A link back to the app. `details.app` is set only if this browser started the login there. */
function wayBack(
  { details }: Problem,
  known: string | null,
  { messages }: Language,
): { wayBack?: { href: string; label: Html } } {
  const app = details?.app ?? known
  if (typeof app !== 'string') {
    return {}
  }
  const host = html`<span dir="ltr">${displayText(new URL(app).host, HOST_MAX)}</span>`
  return { wayBack: { href: app, label: messages.errors.goTo(host) } }
}

function toLoggedProblem(c: Call, log: HttpDependencies['ctx']['log'], error: unknown): Problem {
  const problem = problemOf(error)
  if (problem.mustLog) {
    log.error(`${c.get('requestId')} ${c.get('route')}: ${problem.code}`, error)
  }
  return problem
}
