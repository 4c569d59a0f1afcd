import { listAudit as listAuditEndpoint } from '@gatehouse/contract'
import type { RecordedAction } from '../../domain/audit.ts'
import { listAudit } from '../../operations/audit.ts'
import type { App, HttpDependencies } from '../dependencies.ts'
import { mountForManagementKey } from '../mount-endpoint.ts'

export function auditRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  mountForManagementKey(app, deps, listAuditEndpoint, async ({ query }, c, tenant) => {
    const { actions, hasMore } = await listAudit(ctx, tenant, query)
    const last = actions.at(-1)
    if (last !== undefined && hasMore) {
      const next = new URLSearchParams({ after: String(last.id), limit: String(query.limit) })
      c.header('Link', `<${ctx.baseUrl}${listAuditEndpoint.path}?${next}>; rel="next"`)
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
