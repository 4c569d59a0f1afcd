import { getUser as getUserEndpoint, listUsers as listUsersEndpoint } from '@gatehouse/contract'
import { getUser } from '../../operations/social-login/get-user.ts'
import { listUsers } from '../../operations/social-login/list-users.ts'
import type { App, HttpDependencies } from '../dependencies.ts'
import { mountForManagementKey } from '../mount-endpoint.ts'
import { userView } from '../views.ts'
import { streamedList } from './streamed-list.ts'

export function userRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  mountForManagementKey(app, deps, listUsersEndpoint, async ({ query }, c, tenant) => {
    const { first, hasMore, rest } = await listUsers(ctx, tenant, query)
    // A request without `limit` gets the whole list, so it has no next page.
    const last = first.at(-1)
    if (last !== undefined && hasMore) {
      c.header('Link', `<${ctx.baseUrl}${listUsersEndpoint.path}?after=${last.id}&limit=${query.limit}>; rel="next"`)
    }
    return streamedList(c, 'users', first, rest, userView)
  })

  mountForManagementKey(app, deps, getUserEndpoint, async ({ params }, _c, tenant) => {
    const id = /^\d{1,15}$/.test(params.id) ? Number(params.id) : null
    return { user: userView(await getUser(ctx, tenant, id)) }
  })
}
