import {
  EDGE_SESSION_SECONDS,
  openEdgeSession as openEdgeSessionEndpoint,
  readEdgeSession as readEdgeSessionEndpoint,
} from '@gatehouse/contract'
import { ApiError } from '../../domain/api-error.ts'
import { openEdgeSession, readEdgeSession } from '../../operations/tenants/authenticate.ts'
import { requireBearer } from '../callers/bearer.ts'
import type { App, HttpDependencies } from '../dependencies.ts'
import { mount } from '../mount-endpoint.ts'

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
