import {
  getUser as getUserEndpoint,
  HEADERS,
  listUsers as listUsersEndpoint,
  type UserInclude,
} from '@gatehouse/contract'
import type { Tenant } from '../../../domain/tenants/tenant.ts'
import { type NameIssuer, nameIssuers } from '../../../operations/providers/providers.ts'
import { getUser, type ListUsers, listUserRecords, listUsers } from '../../../operations/users/users.ts'
import type { App, Call, HttpDependencies } from '../../dependencies.ts'
import { mountForManagementKey } from '../../mount-endpoint.ts'
import { userDetailsView, userView } from '../../views.ts'
import { streamedList } from '../streamed-list.ts'
import { numberIn } from './path-number.ts'

export function userRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  mountForManagementKey(app, deps, listUsersEndpoint, async ({ query }, c, tenant) => {
    const { include = [], q: prefix, ...rest } = query
    const asked: ListUsers = { ...rest, prefix }
    if (include.length === 0) {
      const listed = await listUsers(ctx, tenant, asked)
      setListHeaders(c, listed)
      return streamedList(c, 'users', listed.first, listed.rest, userView)
    }
    // Only what is asked for: by default, a user has the six fields of the specification.
    const listed = await listUserRecords(ctx, tenant, asked)
    setListHeaders(c, listed)
    const providerOf = await providersIn(tenant, include)
    return streamedList(c, 'users', listed.first, listed.rest, (user) => userDetailsView(user, include, providerOf))
  })

  mountForManagementKey(app, deps, getUserEndpoint, async ({ params, query }, _c, tenant) => {
    const user = await getUser(ctx, tenant, numberIn(params.id))
    const include: readonly UserInclude[] = query.include ?? []
    return { user: userDetailsView(user, include, await providersIn(tenant, include)) }
  })

  const providersIn = async (tenant: Tenant, include: readonly UserInclude[]): Promise<NameIssuer | undefined> =>
    include.includes('identities') ? nameIssuers(ctx, tenant) : undefined

  interface Listed {
    readonly first: readonly { readonly id: number }[]
    readonly hasMore: boolean
    readonly total: number | null
  }

  function setListHeaders(c: Call, { first, hasMore, total }: Listed): void {
    if (total !== null) c.header(HEADERS.totalCount, String(total))
    // A request that gets the whole list has no next page.
    const last = first.at(-1)
    if (last === undefined || !hasMore) return
    const next = new URL(c.req.url).searchParams
    next.set('after', String(last.id))
    if (!next.has('limit')) next.set('limit', String(first.length))
    c.header('Link', `<${ctx.baseUrl}${listUsersEndpoint.path}?${next}>; rel="next"`)
  }
}
