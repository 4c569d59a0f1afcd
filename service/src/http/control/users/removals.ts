import { listRemovals as listRemovalsEndpoint } from '@gatehouse/contract'
import { listRemovals, type Removal } from '../../../operations/users/delete-user.ts'
import type { App, HttpDependencies } from '../../dependencies.ts'
import { mountForManagementKey } from '../../mount-endpoint.ts'

export function removalRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  mountForManagementKey(app, deps, listRemovalsEndpoint, async ({ query }, c, tenant) => {
    const { removals, hasMore } = await listRemovals(ctx, tenant, query)
    const last = removals.at(-1)
    if (last !== undefined && hasMore) {
      const next = new URLSearchParams({ after: String(last.userId), limit: String(query.limit) })
      c.header('Link', `<${ctx.baseUrl}${listRemovalsEndpoint.path}?${next}>; rel="next"`)
    }
    return { removals: removals.map(removalView) }
  })
}

const iso = (ms: number): string => new Date(ms).toISOString()

const removalView = ({ userId, email, requestedAt, dueAt }: Removal) => ({
  user_id: userId,
  email,
  requested_at: iso(requestedAt),
  due_at: iso(dueAt),
})
