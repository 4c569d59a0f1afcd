import {
  API_ERRORS,
  createGuestTenant,
  type Endpoint,
  endpointsOf,
  isProviderName,
  PROVIDER_PATTERN,
} from '@gatehouse-auth/contract'
import { ApiError } from '../../domain/api-error.ts'
import type { Call, HttpDependencies } from '../dependencies.ts'
import { errorPage } from '../pages/error-page.ts'
import { layout } from '../pages/layout.ts'
import { type Html, html } from '../pages/markup.ts'
import type { Operator } from '../pages/operator.ts'
import { displayText } from '../pages/text.ts'
import { isNormalizedPath } from '../request/query.ts'
import { acceptOf, formPage, jsonProblem, page, reportOf, wantsPage } from '../responses.ts'

/**
 * The 404 and 405 responses: JSON under /api and /edge and for clients that ask for it, a page with links for browsers, plain
 * text for other clients. `pageMethods`: those of the page with this path.
 */
export function notFound(
  deps: HttpDependencies,
  c: Call,
  pageMethods: readonly string[] = [],
): Response {
  const { path } = c.req
  // A spelling that normalization changes is another address, also if the router knows the decoded one.
  const known = isNormalizedPath(c) ? methodsAt(deps, path) : []
  if (isApi(path)) {
    return noSuchRoute(deps, c, known)
  }
  if (pageMethods.length > 0) {
    return otherMethod(deps, c, pageMethods)
  }
  if (wantsPage(c)) {
    return page(c, notFoundPage({ path, operator: deps.operator }), 404)
  }
  if (acceptOf(c).includes('application/json')) {
    return noSuchRoute(deps, c, [])
  }
  return c.text(notFoundText({ path, baseUrl: deps.ctx.baseUrl }), 404)
}

/** The methods of the endpoints with this path. */
function methodsAt({ development }: HttpDependencies, path: string): Endpoint['method'][] {
  const matching = endpointsOf(development).filter((endpoint) => pattern(endpoint.path).test(path))
  // `/edge/auth/:tenantId/verify` has the form of `/edge/auth/:tenantId/:provider`, too.
  const fewest = Math.min(...matching.map(parameters))
  return matching
    .filter((endpoint) => parameters(endpoint) === fewest)
    .map((endpoint) => endpoint.method)
}

function noSuchRoute(
  deps: HttpDependencies,
  c: Call,
  allow: readonly Endpoint['method'][],
): Response {
  if (allow.length === 0) {
    const nearest = nearestEndpoint(c.req.path)
    const pages = ['/sitemap.xml', '/llms.txt', '/docs', '/developers'].map(
      (link) => deps.ctx.baseUrl + link,
    )
    const advice = isApi(c.req.path)
      ? `The nearest endpoint is ${nearest}.`
      : `Look at ${pages.join(', ')}.`
    const message = `There is nothing at this address. ${advice}`
    return jsonProblem(deps, c, new ApiError('unknownRoute', message, { details: { nearest } }))
  }
  return otherMethod(deps, c, allow)
}

/** Every GET route also handles HEAD, and every route OPTIONS: here, and in cors.ts for the app's origins. */
function otherMethod(deps: HttpDependencies, c: Call, allow: readonly string[]): Response {
  c.header('Allow', [...allow, ...(allow.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', '))
  if (c.req.method === 'OPTIONS') {
    return c.body(null, 204)
  }
  const message = `This address takes ${allow.join(' and ')}, not ${c.req.method}.`
  const isPage = wantsPage(c) && !isApi(c.req.path)
  if (!isPage) {
    return jsonProblem(deps, c, new ApiError('methodNotAllowed', message, { details: { allow } }))
  }
  const about = {
    status: 405,
    title: 'This address takes no such request',
    message,
    requestId: c.get('requestId'),
  }
  const href = allow.includes('GET') ? c.req.path : (formPage(c.req.path) ?? '/')
  const report = reportOf(deps, c, {
    ...about,
    code: 'methodNotAllowed',
    fix: API_ERRORS.methodNotAllowed.remedy,
  })
  const html = errorPage({
    ...about,
    operator: deps.operator,
    wayBack: { href, label: 'Open the page' },
    report,
  })
  return page(c, html, 405)
}

const isApi = (path: string): boolean => /^\/(api|edge)(\/|$)/.test(path)

const parameters = ({ path }: Endpoint): number => path.split('/:').length

/** Beside a mistyped action, `/edge/auth/:tenantId/:provider` is not the nearest endpoint. */
const pattern = (path: string): RegExp =>
  new RegExp(`^${path.replace(':provider', PROVIDER_PATTERN).replace(/:[A-Za-z]+/g, '[^/]+')}$`)

/** Never genesis: an agent that follows the proposal would create a tenant by mistake. */
const PROPOSED: readonly Endpoint[] = endpointsOf(false).filter(
  ({ id }) => id !== createGuestTenant.id,
)

function nearestEndpoint(path: string): string {
  const parts = path.split('/').slice(0, 12)
  const [best] = PROPOSED.map((endpoint) => ({
    name: `${endpoint.method} ${endpoint.path}`,
    distance: distance(parts, endpoint.path.split('/')),
  })).sort((a, b) => a.distance - b.distance)
  return best?.name ?? ''
}

/** The number of different segments. A parameter matches almost any segment, and a common prefix counts half. */
function distance(requested: readonly string[], existing: readonly string[]): number {
  let sum = Math.abs(requested.length - existing.length)
  for (const [index, part] of existing.entries()) {
    const given = requested[index]
    if (given !== undefined && part !== given) {
      sum += distanceOfSegments(given, part)
    }
  }
  return sum
}

function distanceOfSegments(given: string, part: string): number {
  if (part === ':provider') {
    return isProviderName(given) ? 0.1 : 1
  }
  if (part.startsWith(':')) {
    return 0.1
  }
  return part.startsWith(given.slice(0, 3)) && given !== '' ? 0.5 : 1
}

/** The links of the 404 page (spec, Errors). */
const LINKS = [
  ['/', 'Home', 'what Gatehouse is, and the first command'],
  ['/docs', 'Documentation', 'guides and reference'],
  ['/developers', 'Developers', 'all links for developers'],
  ['/llms.txt', 'Instructions for agents', 'add sign-in to your app, step by step'],
  ['/docs/errors', 'Errors', 'what each error code means'],
  ['/sitemap.xml', 'Sitemap', 'every page'],
] as const

export const notFoundPage = ({
  path,
  operator,
}: {
  readonly path: string
  readonly operator: Operator
}): Html =>
  layout({
    kind: 'card',
    operator,
    title: 'Page not found',
    body: html`
      <h1>Page not found</h1>
      <p><code>${displayText(path)}</code> may be mistyped, or it may have moved.</p>
      <p class="actions"><a class="button" href="/">Go to the front page</a></p>
      <ul>${LINKS.slice(1).map(([href, label, what]) => html`<li><a href="${href}">${label}</a>: ${what}</li>`)}</ul>
    `,
  })

/** `notFoundPage` as plain text, for clients that don't accept HTML. */
export const notFoundText = ({
  path,
  baseUrl,
}: {
  readonly path: string
  readonly baseUrl: string
}): string =>
  `Nothing at ${displayText(path)}.

${LINKS.map(([link, , what]) => `${baseUrl}${link}`.padEnd(baseUrl.length + 14) + what).join('\n')}
`
