import * as endpoints from '@gatehouse-auth/contract'
import { EDGE_SESSION_SECONDS, HEADERS } from '@gatehouse-auth/contract'
import { ApiError, Unavailable } from '../../domain/api-error.ts'
import { exchangeLoginCode } from '../../operations/login/exchange-login-code.ts'
import { logOut } from '../../operations/sessions/end-session.ts'
import { createIdToken } from '../../operations/sessions/id-tokens.ts'
import { refreshSession } from '../../operations/sessions/refresh-session.ts'
import { requireRunning, verifyAccessToken } from '../../operations/sessions/verify-access-token.ts'
import { openEdgeSession, readEdgeSession } from '../../operations/tenants/authenticate.ts'
import { requireBearer } from '../callers/bearer.ts'
import type { App, HttpDependencies } from '../dependencies.ts'
import { setRateHeaders } from '../headers.ts'
import { mount } from '../mount-endpoint.ts'
import { readIdempotencyKey } from '../request/idempotency-key.ts'

export function sessionRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  mount(app, deps, endpoints.exchangeLoginCode, async ({ params, body }, c) => {
    const { pair } = await exchangeLoginCode(ctx, {
      tenantId: params.tenantId,
      code: body.code,
      proof: { kind: 'verifier', verifier: body.code_verifier },
      idempotencyKey: readIdempotencyKey(c.req.header(HEADERS.idempotencyKey)),
    })
    return { access_token: pair.accessToken, refresh_token: pair.refreshToken }
  })

  mount(app, deps, endpoints.verifyAccessToken, async ({ params, body }) => {
    const { tenantId } = params
    await deps.stallDetector.caughtUp()
    const verification = verifyAccessToken(ctx, { tenantId, accessToken: body.access_token })
    if (verification.outcome === 'valid') {
      return { valid: true as const, user: verification.user }
    }
    if (verification.outcome === 'invalid') {
      return { valid: false as const }
    }
    // A foreign token proves nothing about the tenant, and `paused` has no reason, so the tenant is looked up here, from
    // the cache first. The verification result stands if the database is unavailable or hangs.
    await unlessSilent(ctx, () => ctx.directory.requireProvisioned(tenantId)).catch(
      ignoreUnavailable,
    )
    requireRunning(verification)
    return { valid: false as const }
  })

  mount(app, deps, endpoints.refreshSession, async ({ params, body }, c) => {
    const { pair, rate } = await refreshSession(ctx, {
      tenantId: params.tenantId,
      refreshToken: body.refresh_token,
      idempotencyKey: readIdempotencyKey(c.req.header(HEADERS.idempotencyKey)),
    })
    setRateHeaders(c, rate, ctx.now())
    return { access_token: pair.accessToken, refresh_token: pair.refreshToken }
  })

  mount(app, deps, endpoints.logOut, async ({ params, body }) => {
    await logOut(ctx, { tenantId: params.tenantId, refreshToken: body.refresh_token })
    return { success: true as const }
  })

  mount(app, deps, endpoints.createIdToken, async ({ params, body }) => {
    await deps.stallDetector.caughtUp()
    const { token, expiresIn } = await createIdToken(ctx, {
      ...params,
      ...body,
      accessToken: body.access_token,
    })
    return { id_token: token, expires_in: expiresIn }
  })
}

function ignoreUnavailable(error: unknown): void {
  if (!(error instanceof Unavailable)) {
    throw error
  }
}

const ASK_EVERY_MS = 250

/** Runs `lookUp`, and waits for it until the database is silent. */
async function unlessSilent(
  { isDatabaseSilent }: HttpDependencies['ctx'],
  lookUp: () => Promise<unknown>,
): Promise<void> {
  if (isDatabaseSilent()) {
    return
  }
  const { promise: silent, resolve } = Promise.withResolvers<void>()
  const timer = setInterval(() => isDatabaseSilent() && resolve(), ASK_EVERY_MS)
  await Promise.race([lookUp(), silent]).finally(() => clearInterval(timer))
}

export function edgeSessionRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  mount(app, deps, endpoints.openEdgeSession, async ({ query }) => {
    if (!query.key) {
      throw new ApiError('missingCredentials', 'Send the application key as ?key=svc_app_….')
    }
    const { token } = await openEdgeSession(ctx, query.key)
    return { token, token_type: 'Bearer' as const, expires_in: EDGE_SESSION_SECONDS }
  })

  mount(app, deps, endpoints.readEdgeSession, async (_input, c) => {
    const { tenantId, expiresAt } = await readEdgeSession(ctx, requireBearer(c, 'the edge token'))
    return { tenant_id: tenantId, expires_at: new Date(expiresAt).toISOString() }
  })
}
