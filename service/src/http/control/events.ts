import * as endpoints from '@gatehouse-auth/contract'
import { defined } from '../../domain/defined.ts'
import { listEvents } from '../../operations/events/events.ts'
import { requestAddressKey } from '../callers/author.ts'
import type { App, HttpDependencies } from '../dependencies.ts'
import { eventView } from '../event-views.ts'
import { linkNext } from '../headers.ts'
import { mountForManagementKey } from '../mount-endpoint.ts'

export function eventRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  mountForManagementKey(app, deps, endpoints.listEvents, async ({ query }, c, tenant) => {
    const { after, limit, user_id: userId, event, wait } = query
    const { events, hasMore } = await listEvents(ctx, tenant, {
      after,
      limit,
      ...defined({ userId, event }),
      waitSeconds: wait,
      addressKey: requestAddressKey(deps, c),
      signal: c.req.raw.signal,
    })
    if (hasMore) {
      linkNext(c, ctx.baseUrl, events.at(-1)?.id, { limit, ...defined({ user_id: userId, event }) })
    }
    return { events: events.map(eventView) }
  })
}
