import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Call, HttpDependencies } from './dependencies.ts'
import { pageHeaders } from './headers.ts'
import { failurePage } from './pages/failure.ts'
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

/** Reports an error as JSON. The only place that writes error bodies under /api and /edge. */
export function jsonProblem({ ctx }: HttpDependencies, c: Call, error: unknown): Response {
  const problem = toLoggedProblem(c, ctx.log, error)
  for (const [name, value] of Object.entries(problem.headers)) c.header(name, value)
  return c.json(problemBody(problem, c.get('requestId'), ctx.baseUrl), problem.status as ContentfulStatusCode)
}

const TITLES: Partial<Record<Problem['code'], string>> = {
  invalidRedirectUri: 'This sign-in link has a wrong return address',
  redirectUriRequired: 'This sign-in link is missing its return address',
  invalidReturnTo: 'This sign-in link has a wrong return page',
  invalidRequest: 'This link does not work',
  tenantNotFound: 'There is no app at this link',
  notProvisioned: 'This app is not ready for sign-in yet',
  tenantPaused: 'Sign-in for this app is paused',
  tenantExpired: 'This app has ended',
  loginOver: 'This sign-in is over',
  loginOtherBrowser: 'This sign-in belongs to another browser',
  decisionNotOurs: 'That button press did not come from our page',
  rateLimited: 'Too many sign-ins just now',
  temporarilyUnavailable: 'Sign-in is not available right now',
}

/** What the user reads. The API error message for developers follows below it on the page. */
const FOR_PEOPLE: Partial<Record<Problem['code'], string>> = {
  invalidRedirectUri:
    'The app sent you here with an address to return to that it has not registered. Nobody was signed in.',
  redirectUriRequired: 'The app sent you here without saying where to return to. Nobody was signed in.',
  invalidReturnTo: 'The app asked to return you to a page that is not its own. Nobody was signed in.',
  notProvisioned: 'The app has not finished setting up sign-in. Try again later.',
  tenantPaused: 'The app has used up what a temporary app may use. Its developer can continue it by claiming it.',
  tenantExpired: 'It was a temporary app that nobody claimed within 72 hours, or its owner deleted it.',
  rateLimited:
    'This app has had more sign-ins than it may have at once. Your sign-in has not started; try again shortly.',
  temporarilyUnavailable: 'Something this sign-in needs is out of reach. Nothing is lost: try again in a moment.',
}

/** Reports an error as a page if the client accepts HTML, otherwise as JSON. */
export function pageProblem(deps: HttpDependencies, c: Call, error: unknown): Response {
  if (!wantsPage(c)) return jsonProblem(deps, c, error)
  const problem = toLoggedProblem(c, deps.ctx.log, error)
  for (const [name, value] of Object.entries(problem.headers)) c.header(name, value)
  const forPeople = FOR_PEOPLE[problem.code]
  const html = failurePage({
    status: problem.status,
    title: TITLES[problem.code] ?? 'Something went wrong',
    message: forPeople ?? problem.message,
    requestId: c.get('requestId'),
    ...wayBack(problem),
    ...(forPeople === undefined ? {} : { detail: problem.message }),
  })
  return page(c, html, problem.status)
}

/** A link back to the app. `details.app` is set only if this browser started the login there. */
function wayBack({ details }: Problem): { wayBack?: { href: string; label: string } } {
  const app = details?.app
  return typeof app === 'string' ? { wayBack: { href: app, label: `Go to ${new URL(app).host}` } } : {}
}

function toLoggedProblem(c: Call, log: HttpDependencies['ctx']['log'], error: unknown): Problem {
  const problem = problemOf(error)
  if (problem.mustLog) log.error(`${c.get('requestId')} ${c.get('route')}: ${problem.code}`, error)
  return problem
}
