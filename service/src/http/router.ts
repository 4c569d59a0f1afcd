import type { RequestListener } from 'node:http'
import { API_VERSION, HEADERS } from '@gatehouse-auth/contract'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { TrieRouter } from 'hono/router/trie-router'
import { accountRoutes } from './console/account.ts'
import { claimPageRoutes } from './console/claim.ts'
import { insightRoutes } from './console/projects/insights-api.ts'
import { projectRoutes } from './console/projects/routes.ts'
import { brandRoutes, domainRoutes } from './control/brand.ts'
import { eventRoutes } from './control/events.ts'
import { invitationRoutes, refusalRoutes } from './control/login.ts'
import { auditRoutes, observabilityRoutes } from './control/observability.ts'
import { providerRoutes } from './control/providers.ts'
import { settingsRoutes, socialLoginRoutes, testSupportRoutes } from './control/tenant-settings.ts'
import { bootstrapRoutes, claimRoutes, feedbackRoutes, tenantRoutes } from './control/tenants.ts'
import { userTransferRoutes } from './control/user-transfer.ts'
import {
  removalRoutes,
  userChangeRoutes,
  userFieldRoutes,
  userRoutes,
  userSessionRoutes,
} from './control/users.ts'
import { webhookDeliveryRoutes, webhookRoutes } from './control/webhooks.ts'
import type { App, Env, HandledRequest, HttpDependencies } from './dependencies.ts'
import { docsRoutes, pageFileRoutes } from './discovery/docs/docs.ts'
import { searchRoutes } from './discovery/docs/search.ts'
import { docsSearch } from './discovery/docs/search-index.ts'
import { documentRoutes } from './discovery/documents.ts'
import { feedbackPageRoutes } from './discovery/feedback.ts'
import { notFound } from './discovery/not-found.ts'
import { npmRegistryRoutes } from './discovery/npm-registry.ts'
import { packageRoutes } from './discovery/packages.ts'
import { publicPages } from './discovery/pages.ts'
import { tryItRoutes } from './discovery/try-it.ts'
import { callbackRoutes } from './edge/callback.ts'
import { consentRoutes, linkRoutes } from './edge/consent.ts'
import { discoveryCors, edgeCors } from './edge/cors.ts'
import { openIdRoutes } from './edge/openid/routes.ts'
import { edgeSessionRoutes, sessionRoutes } from './edge/sessions.ts'
import { loginProviderRoutes, startLoginRoutes } from './edge/start-login.ts'
import { API_HEADERS, baseHeaderList, setHeaders } from './headers.ts'
import { healthRoutes, type Readiness } from './health.ts'
import { logoRoutes } from './logo.ts'
import { credentialsRoutes } from './mcp/credentials-download.ts'
import { mcpRoutes } from './mcp/endpoint.ts'
import { retiredRoutes } from './mcp/retired-endpoint.ts'
import { meRoutes } from './me/me.ts'
import { privacyRoutes } from './me/privacy.ts'
import { METRICS_PATH, metricsRoutes } from './metrics/exposition.ts'
import { oauthRoutes } from './oauth/routes.ts'
import { developmentBanner } from './pages/layout.ts'
import { isNormalizedPath } from './request/query.ts'
import { requestId } from './request/request-id.ts'
import { jsonProblem, pageProblem } from './responses.ts'

/** What the process provides to the router: readiness, request recording and metrics. */
interface ProcessHooks {
  readonly readiness: Readiness
  record(request: HandledRequest): void
  metrics(): string
}

/** Mounts every route, and gives every response a request id, the base headers and a log record. */
export function router(deps: HttpDependencies, { readiness, record, metrics }: ProcessHooks): App {
  // Hono's default builds a RegExpRouter first, which does not support these routes, and then this one.
  const app = new Hono<Env>({ router: new TrieRouter() })
  const baseHeaders = baseHeaderList(deps.ctx.baseUrl)

  app.use(async (c, next) => {
    const started = performance.now()
    const id = requestId()
    c.set('requestId', id)
    c.set('route', '(none)')
    c.header(HEADERS.requestId, id)
    setHeaders(c, baseHeaders)
    if (isApi(c.req.path)) {
      setHeaders(c, API_HEADERS)
    }
    if (hasVersion(c.req.path)) {
      c.header(HEADERS.apiVersion, API_VERSION)
    }
    await next()
    record({
      requestId: id,
      method: c.req.method,
      route: c.get('route'),
      status: c.res.status,
      ms: Math.round((performance.now() - started) * 10) / 10,
      ownedTenantId: c.get('ownedTenantId'),
    })
  })

  app.use(async (c, next) => (isNormalizedPath(c) ? next() : notFound(deps, c)))

  if (deps.exposedDevelopmentSignIn) {
    app.use(developmentBanner)
  }
  healthRoutes(app, readiness)
  metricsRoutes(app, metrics, (c) => notFound(deps, c))
  publicPages(app, deps, readiness)
  privacyRoutes(app, deps)
  tryItRoutes(app, deps)
  const search = docsSearch(deps.ctx.baseUrl, deps.development)
  docsRoutes(app, deps, search)
  searchRoutes(app, deps, search)
  pageFileRoutes(app, deps)
  documentRoutes(app, deps)
  packageRoutes(app, deps)
  npmRegistryRoutes(app, deps)
  tenantRoutes(app, deps)
  bootstrapRoutes(app, deps)
  auditRoutes(app, deps)
  socialLoginRoutes(app, deps)
  settingsRoutes(app, deps)
  invitationRoutes(app, deps)
  providerRoutes(app, deps)
  refusalRoutes(app, deps)
  userRoutes(app, deps)
  userChangeRoutes(app, deps)
  userFieldRoutes(app, deps)
  userSessionRoutes(app, deps)
  removalRoutes(app, deps)
  userTransferRoutes(app, deps)
  eventRoutes(app, deps)
  domainRoutes(app, deps)
  brandRoutes(app, deps)
  logoRoutes(app, deps)
  webhookRoutes(app, deps)
  webhookDeliveryRoutes(app, deps)
  testSupportRoutes(app, deps)
  claimRoutes(app, deps)
  feedbackRoutes(app, deps)
  observabilityRoutes(app, deps)
  edgeCors(app, deps)
  discoveryCors(app)
  loginProviderRoutes(app, deps)
  startLoginRoutes(app, deps)
  sessionRoutes(app, deps)
  openIdRoutes(app, deps)
  edgeSessionRoutes(app, deps)
  callbackRoutes(app, deps)
  consentRoutes(app, deps)
  linkRoutes(app, deps)
  meRoutes(app, deps)
  accountRoutes(app, deps)
  projectRoutes(app, deps)
  claimPageRoutes(app, deps)
  feedbackPageRoutes(app, deps)
  insightRoutes(app, deps)
  oauthRoutes(app, deps)
  mcpRoutes(app, deps)
  credentialsRoutes(app, deps)
  retiredRoutes(app, deps)

  app.notFound((c) => notFound(deps, c, methodsOfPage(app, c.req.path)))
  app.onError((error, c) =>
    isApi(c.req.path) ? jsonProblem(deps, c, error) : pageProblem(deps, c, error),
  )
  return app
}

/** The routes as a listener of `node:http`. */
export const listenerOf = ({ fetch }: App): RequestListener => getRequestListener(fetch)

const METHODS = ['GET', 'POST'] as const

/** Reads the methods from the routes. Ignores /metrics (hidden) and file routes (they check for a file first). */
const methodsOfPage = (app: App, path: string): string[] =>
  METHODS.filter((method) =>
    app.router
      .match(method, path)[0]
      .some(
        ([[, route]]) =>
          route.method === method && route.path !== METRICS_PATH && !route.path.includes('{'),
      ),
  )

const JSON_ROUTES = /^\/(account|oauth|openapi\.json|mcp\/manage|\.well-known\/oauth-[\w-]+)(\/|$)/

/** For clients that ignore the metadata of OAuth. */
const OAUTH_AT_ROOT = /^\/(authorize|register|token)$/

/** Routes beside the API that respond with JSON to programs (spec, Versioning 1). */
const hasVersion = (path: string): boolean => JSON_ROUTES.test(path) || OAUTH_AT_ROOT.test(path)

/** Routes that respond with JSON whatever the client accepts. */
const isApi = (path: string): boolean => /^\/(api|edge|account\/insights)(\/|$)/.test(path)
