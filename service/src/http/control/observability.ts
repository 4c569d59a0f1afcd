import * as endpoints from '@gatehouse-auth/contract'
import type { RecordedAction } from '../../domain/tenants/audit.ts'
import { isDelivered } from '../../domain/webhooks/delivery.ts'
import { listAudit } from '../../operations/tenants/audit.ts'
import { readObservability, type TailEntry } from '../../operations/tenants/observability.ts'
import type { App, HttpDependencies } from '../dependencies.ts'
import { iso } from '../event-views.ts'
import { linkNext } from '../headers.ts'
import { mountForManagementKey } from '../mount-endpoint.ts'
import { accountUsageView } from '../views.ts'

export function observabilityRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  mountForManagementKey(
    app,
    deps,
    endpoints.readObservability,
    async ({ query }, _c, tenant, key) => {
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
          claimed_at: iso(each.tenant.claimedAt ?? each.tenant.createdAt),
          runtime_profile: each.tenant.profile,
          stored_users: each.users,
          active_sessions: each.activeSessions,
        })),
        usage: accountUsageView(usage),
        ...(tail === null ? {} : { recent_events: tail.map(tailView) }),
      }
    },
  )
}

function tailView(entry: TailEntry) {
  const seen = { tenant_id: entry.tenantId, at_ms: entry.at }
  if (entry.source === 'api') {
    return {
      source: 'api' as const,
      ...seen,
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
      ...seen,
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
    ...seen,
    event: entry.event,
    user_id: entry.userId,
    email: entry.email,
    ...(entry.errorCode === null ? {} : { error_code: entry.errorCode }),
  }
}

export function auditRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  mountForManagementKey(app, deps, endpoints.listAudit, async ({ query }, c, tenant) => {
    const { actions, hasMore } = await listAudit(ctx, tenant, query)
    if (hasMore) {
      linkNext(c, ctx.baseUrl, actions.at(-1)?.id, { limit: query.limit })
    }
    return { actions: actions.map(actionView) }
  })
}

const actionView = ({ id, at, actor, action, target, requestId }: RecordedAction) => ({
  id,
  at_ms: at,
  actor,
  action,
  target,
  request_id: requestId,
})
