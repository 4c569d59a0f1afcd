import {
  exchangeLoginCode as exchangeLoginCodeEndpoint,
  HEADERS,
  logOut as logOutEndpoint,
  refreshSession as refreshSessionEndpoint,
  verifyAccessToken as verifyAccessTokenEndpoint,
} from '@gatehouse/contract'
import { Unavailable } from '../../domain/api-error.ts'
import { tenantPaused, tenantSuspended } from '../../domain/tenants/tenant-access.ts'
import { exchangeLoginCode } from '../../operations/login/exchange-login-code.ts'
import { logOut } from '../../operations/sessions/end-session.ts'
import { refreshSession } from '../../operations/sessions/refresh-session.ts'
import { verifyAccessToken } from '../../operations/sessions/verify-access-token.ts'
import type { App, HttpDependencies } from '../dependencies.ts'
import { setRateHeaders } from '../headers.ts'
import { mount } from '../mount-endpoint.ts'
import { readIdempotencyKey } from './idempotency-key.ts'

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
