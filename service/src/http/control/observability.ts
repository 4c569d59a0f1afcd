import { readObservability as readObservabilityEndpoint } from '@gatehouse/contract'
import { isDelivered } from '../../domain/webhooks/delivery.ts'
import { readObservability, type TailEntry } from '../../operations/observability/observability.ts'
import type { App, HttpDependencies } from '../dependencies.ts'
import { mountForManagementKey } from '../mount-endpoint.ts'
import { accountUsageView } from '../views.ts'

export function observabilityRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  mountForManagementKey(app, deps, readObservabilityEndpoint, async ({ query }, _c, tenant, key) => {
    const { tenants, usage, tail } = await readObservability(ctx, key, {
      tail: query.include === 'recent_events',
      tenantId: query.tenant_id,
      since: query.since ?? 0,
      limit: query.limit,
    })
    return {
      auth: { mode: 'management_key' as const, via_tenant_id: tenant.id },
      summary: {
        projects: tenants.length,
        stored_users: tenants.reduce((sum, { users }) => sum + users, 0),
        active_sessions: tenants.reduce((sum, { activeSessions }) => sum + activeSessions, 0),
      },
      tenants: tenants.map((each) => ({
        tenant_id: each.tenant.id,
        claimed_at: new Date(each.tenant.claimedAt ?? each.tenant.createdAt).toISOString(),
        runtime_profile: each.tenant.profile,
        stored_users: each.users,
        active_sessions: each.activeSessions,
      })),
      usage: accountUsageView(usage),
      ...(tail === null ? {} : { recent_events: tail.map(tailView) }),
    }
  })
}

function tailView(entry: TailEntry) {
  if (entry.source === 'api') {
    return {
      source: 'api' as const,
      tenant_id: entry.tenantId,
      at_ms: entry.at,
      method: entry.method,
      route: entry.route,
      status: entry.status,
      duration_ms: entry.ms,
      request_id: entry.requestId,
    }
  }
  if (entry.source === 'webhook') {
    return {
      source: 'webhook' as const,
      tenant_id: entry.tenantId,
      at_ms: entry.at,
      webhook_id: entry.webhookId,
      event_id: entry.eventId,
      attempt: entry.attempt,
      delivered: isDelivered(entry),
      status: entry.status,
      error: entry.error,
      duration_ms: entry.ms,
    }
  }
  return {
    source: 'auth' as const,
    tenant_id: entry.tenantId,
    at_ms: entry.at,
    event: entry.event,
    user_id: entry.userId,
    email: entry.email,
    ...(entry.errorCode === null ? {} : { error_code: entry.errorCode }),
  }
}
