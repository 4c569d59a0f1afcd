import { listEvents as listEventsEndpoint } from '@gatehouse/contract'
import { listEvents } from '../../operations/social-login/events.ts'
import { requestAddressKey } from '../callers/client-address.ts'
import type { App, HttpDependencies } from '../dependencies.ts'
import { mountForManagementKey } from '../mount-endpoint.ts'
import { eventView } from '../views.ts'

export function eventRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  mountForManagementKey(app, deps, listEventsEndpoint, async ({ query }, c, tenant) => {
    const { after, limit, user_id: userId, event, wait } = query
    const { events, hasMore } = await listEvents(ctx, tenant, {
      after,
      limit,
      ...(userId === undefined ? {} : { userId }),
      ...(event === undefined ? {} : { event }),
      waitSeconds: wait,
      addressKey: requestAddressKey(deps, c),
      signal: c.req.raw.signal,
    })
    const last = events.at(-1)
    if (last !== undefined && hasMore) {
      const next = new URLSearchParams({ after: String(last.id), limit: String(limit) })
      if (userId !== undefined) next.set('user_id', String(userId))
      if (event !== undefined) next.set('event', event)
      c.header('Link', `<${ctx.baseUrl}${listEventsEndpoint.path}?${next}>; rel="next"`)
    }
    return { events: events.map(eventView) }
  })
}
