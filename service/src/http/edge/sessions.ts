import {
  EDGE_SESSION_SECONDS,
  exchangeLoginCode as exchangeLoginCodeEndpoint,
  HEADERS,
  logOut as logOutEndpoint,
  openEdgeSession as openEdgeSessionEndpoint,
  readEdgeSession as readEdgeSessionEndpoint,
  refreshSession as refreshSessionEndpoint,
  verifyAccessToken as verifyAccessTokenEndpoint,
} from '@gatehouse/contract'
import { ApiError, Unavailable } from '../../domain/api-error.ts'
import { tenantPaused, tenantSuspended } from '../../domain/tenants/tenant.ts'
import { exchangeLoginCode } from '../../operations/login/exchange-login-code.ts'
import { logOut } from '../../operations/sessions/end-session.ts'
import { refreshSession } from '../../operations/sessions/refresh-session.ts'
import { verifyAccessToken } from '../../operations/sessions/verify-access-token.ts'
import { openEdgeSession, readEdgeSession } from '../../operations/tenants/authenticate.ts'
import { requireBearer } from '../callers/bearer.ts'
import type { App, HttpDependencies } from '../dependencies.ts'
import { setRateHeaders } from '../headers.ts'
import { mount } from '../mount-endpoint.ts'
import { readIdempotencyKey } from '../request/idempotency-key.ts'

export function sessionRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  mount(app, deps, exchangeLoginCodeEndpoint, async ({ params, body }, c) => {
    const pair = await exchangeLoginCode(ctx, {
      tenantId: params.tenantId,
      code: body.code,
      verifier: body.code_verifier,
      idempotencyKey: readIdempotencyKey(c.req.header(HEADERS.idempotencyKey)),
    })
    return { access_token: pair.accessToken, refresh_token: pair.refreshToken }
  })

  mount(app, deps, verifyAccessTokenEndpoint, async ({ params, body }) => {
    const { tenantId } = params
    await deps.stallDetector.caughtUp()
    const verification = verifyAccessToken(ctx, { tenantId, accessToken: body.access_token })
    if (verification.outcome === 'valid') return { valid: true as const, user: verification.user }
    if (verification.outcome === 'invalid') return { valid: false as const }
    // A foreign token proves nothing about the tenant, and `paused` has no reason, so the tenant is looked up here, from
    // the cache first. The verification result stands if the database is unavailable.
    await ctx.directory.requireProvisioned(tenantId).catch(ignoreUnavailable)
    if (verification.outcome === 'paused') throw tenantPaused(null)
    if (verification.outcome === 'suspended') throw tenantSuspended()
    return { valid: false as const }
  })

  mount(app, deps, refreshSessionEndpoint, async ({ params, body }, c) => {
    const { pair, rate } = await refreshSession(ctx, {
      tenantId: params.tenantId,
      refreshToken: body.refresh_token,
      idempotencyKey: readIdempotencyKey(c.req.header(HEADERS.idempotencyKey)),
    })
    setRateHeaders(c, rate, ctx.now())
    return { access_token: pair.accessToken, refresh_token: pair.refreshToken }
  })

  mount(app, deps, logOutEndpoint, async ({ params, body }) => {
    await logOut(ctx, { tenantId: params.tenantId, refreshToken: body.refresh_token })
    return { success: true as const }
  })
}

function ignoreUnavailable(error: unknown): void {
  if (!(error instanceof Unavailable)) throw error
}

export function edgeSessionRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  mount(app, deps, openEdgeSessionEndpoint, async ({ query }) => {
    if (!query.key) throw new ApiError('missingCredentials', 'Send the application key as ?key=svc_app_….')
    const { token } = await openEdgeSession(ctx, query.key)
    return { token, token_type: 'Bearer' as const, expires_in: EDGE_SESSION_SECONDS }
  })

  mount(app, deps, readEdgeSessionEndpoint, async (_input, c) => {
    const { tenantId, expiresAt } = await readEdgeSession(ctx, requireBearer(c, 'the edge token'))
    return { tenant_id: tenantId, expires_at: new Date(expiresAt).toISOString() }
  })
}
