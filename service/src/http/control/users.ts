import * as endpoints from '@gatehouse-auth/contract'
import { HEADERS, type UserInclude } from '@gatehouse-auth/contract'
import type { Session } from '../../domain/sessions/session.ts'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import { type NameIssuer, nameIssuers } from '../../operations/providers/providers.ts'
import { blockUser, replaceUserClaims, unblockUser } from '../../operations/users/block-user.ts'
import { deleteUser, listRemovals, type Removal } from '../../operations/users/delete-user.ts'
import {
  mergeUsers,
  pinUserIdentity,
  removeUserIdentity,
} from '../../operations/users/identities.ts'
import {
  endUserSession,
  endUserSessions,
  listUserSessions,
} from '../../operations/users/user-sessions.ts'
import {
  getUser,
  type ListUsers,
  listUserRecords,
  listUsers,
  replaceUserMetadata,
} from '../../operations/users/users.ts'
import { keyAuthor } from '../callers/author.ts'
import type { App, Call, HttpDependencies } from '../dependencies.ts'
import { iso, metadataEtag, metadataView, userDetailsView, userView } from '../event-views.ts'
import { linkNext } from '../headers.ts'
import { mountForManagementKey } from '../mount-endpoint.ts'
import { numberIn } from '../request/path-id.ts'
import { streamedText } from '../streamed-text.ts'

export function userRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  mountForManagementKey(app, deps, endpoints.listUsers, async ({ query }, c, tenant) => {
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
    return streamedList(c, 'users', listed.first, listed.rest, (user) =>
      userDetailsView(user, include, providerOf),
    )
  })

  mountForManagementKey(app, deps, endpoints.getUser, async ({ params, query }, _c, tenant) => {
    const user = await getUser(ctx, tenant, numberIn(params.id))
    const include: readonly UserInclude[] = query.include ?? []
    return { user: userDetailsView(user, include, await providersIn(tenant, include)) }
  })

  const providersIn = async (
    tenant: Tenant,
    include: readonly UserInclude[],
  ): Promise<NameIssuer | undefined> =>
    include.includes('identities') ? nameIssuers(ctx, tenant.id) : undefined

  function setListHeaders(
    c: Call,
    { first, hasMore, total }: Awaited<ReturnType<typeof listUsers>>,
  ): void {
    if (total !== null) {
      c.header(HEADERS.totalCount, String(total))
    }
    // A request that gets the whole list has no next page.
    const last = first.at(-1)
    if (last === undefined || !hasMore) {
      return
    }
    const next = new URL(c.req.url).searchParams
    next.set('after', String(last.id))
    if (!next.has('limit')) {
      next.set('limit', String(first.length))
    }
    c.header('Link', `<${ctx.baseUrl}${endpoints.listUsers.path}?${next}>; rel="next"`)
  }
}

/** Streams `{ "<name>": [ … ] }` page by page. No page of `rest` is empty. */
function streamedList<T>(
  c: Call,
  name: string,
  first: readonly T[],
  rest: AsyncIterable<readonly T[]>,
  view: (item: T) => unknown,
): Response {
  const write = (items: readonly T[]): string =>
    items.map((item) => JSON.stringify(view(item))).join(',')

  async function* chunks(): AsyncGenerator<string> {
    yield `{"${name}":[${write(first)}`
    for await (const page of rest) {
      yield `,${write(page)}`
    }
    yield ']}'
  }
  return streamedText(c, 'application/json', chunks())
}

export function userChangeRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  mountForManagementKey(app, deps, endpoints.blockUser, async ({ params }, c, tenant, key) => {
    const user = await blockUser(ctx, tenant, numberIn(params.id), keyAuthor(c, key))
    return { user: userDetailsView(user, ['blocked']) }
  })

  mountForManagementKey(app, deps, endpoints.unblockUser, async ({ params }, c, tenant, key) => {
    const user = await unblockUser(ctx, tenant, numberIn(params.id), keyAuthor(c, key))
    return { user: userDetailsView(user, ['blocked']) }
  })

  mountForManagementKey(app, deps, endpoints.deleteUser, async ({ params }, c, tenant, key) => {
    await deleteUser(ctx, tenant, numberIn(params.id), keyAuthor(c, key))
    return { success: true } as const
  })

  const withIdentities = async (tenant: Tenant, id: string) => {
    const user = await getUser(ctx, tenant, numberIn(id))
    return { user: userDetailsView(user, ['identities'], await nameIssuers(ctx, tenant.id)) }
  }

  mountForManagementKey(
    app,
    deps,
    endpoints.mergeUsers,
    async ({ params, body }, c, tenant, key) => {
      await mergeUsers(
        ctx,
        tenant,
        { userId: numberIn(params.id), from: body.from },
        keyAuthor(c, key),
      )
      return withIdentities(tenant, params.id)
    },
  )

  mountForManagementKey(
    app,
    deps,
    endpoints.pinUserIdentity,
    async ({ params, query, body }, c, tenant, key) => {
      const ref = { userId: numberIn(params.id), provider: params.provider, subject: query.subject }
      await pinUserIdentity(ctx, tenant, ref, body.pinned, keyAuthor(c, key))
      return withIdentities(tenant, params.id)
    },
  )

  mountForManagementKey(
    app,
    deps,
    endpoints.removeUserIdentity,
    async ({ params, query }, c, tenant, key) => {
      const ref = { userId: numberIn(params.id), provider: params.provider, subject: query.subject }
      await removeUserIdentity(ctx, tenant, ref, keyAuthor(c, key))
      return withIdentities(tenant, params.id)
    },
  )
}

export function userFieldRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  mountForManagementKey(app, deps, endpoints.readUserMetadata, async ({ params }, c, tenant) => {
    const { metadata } = await getUser(ctx, tenant, numberIn(params.id))
    c.header('ETag', metadataEtag(metadata))
    return { metadata: metadataView(metadata) }
  })

  mountForManagementKey(
    app,
    deps,
    endpoints.replaceUserMetadata,
    async ({ params, body }, c, tenant, key) => {
      const metadata = JSON.stringify(body.metadata)
      const change = { metadata, isExpected: matcherOf(c.req.header('if-match')) }
      await replaceUserMetadata(ctx, tenant, numberIn(params.id), change, keyAuthor(c, key))
      c.header('ETag', metadataEtag(metadata))
      return { metadata: body.metadata }
    },
  )

  mountForManagementKey(
    app,
    deps,
    endpoints.replaceUserClaims,
    async ({ params, body }, c, tenant, key) => {
      const { claims, end_sessions: endSessions } = body
      await replaceUserClaims(
        ctx,
        tenant,
        numberIn(params.id),
        { claims, endSessions },
        keyAuthor(c, key),
      )
      return { claims }
    },
  )

  mountForManagementKey(
    app,
    deps,
    endpoints.deleteUserClaims,
    async ({ params, query }, c, tenant, key) => {
      const change = { claims: {}, endSessions: query.end_sessions ?? false }
      await replaceUserClaims(ctx, tenant, numberIn(params.id), change, keyAuthor(c, key))
      return { success: true } as const
    },
  )
}

/** RFC 9110, section 13.1.1: `*`, or a list of strong tags. A weak tag never matches. */
function matcherOf(header: string | undefined): ((current: string | null) => boolean) | null {
  if (header === undefined || header.trim() === '*') {
    return null
  }
  const tags = header.split(',').map((tag) => tag.trim())
  return (current) => tags.includes(metadataEtag(current))
}

export function userSessionRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  mountForManagementKey(
    app,
    deps,
    endpoints.listUserSessions,
    async ({ params, query }, c, tenant) => {
      const { sessions, hasMore } = await listUserSessions(ctx, tenant, numberIn(params.id), query)
      if (hasMore) {
        linkNext(c, ctx.baseUrl, sessions.at(-1)?.id, { limit: query.limit })
      }
      return { sessions: sessions.map(sessionView) }
    },
  )

  mountForManagementKey(
    app,
    deps,
    endpoints.endUserSessions,
    async ({ params }, c, tenant, key) => {
      const ended = await endUserSessions(ctx, tenant, numberIn(params.id), keyAuthor(c, key))
      return { success: true, ended } as const
    },
  )

  mountForManagementKey(app, deps, endpoints.endUserSession, async ({ params }, c, tenant, key) => {
    await endUserSession(ctx, tenant, numberIn(params.sid), keyAuthor(c, key))
    return { success: true } as const
  })
}

const sessionView = ({ id, createdAt, rotatedAt, expiresAt, absoluteExpiresAt }: Session) => ({
  id,
  created_at: iso(createdAt),
  last_refreshed_at: iso(rotatedAt),
  expires_at: iso(Math.min(expiresAt, absoluteExpiresAt)),
})

export function removalRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  mountForManagementKey(app, deps, endpoints.listRemovals, async ({ query }, c, tenant) => {
    const { removals, hasMore } = await listRemovals(ctx, tenant, query)
    if (hasMore) {
      linkNext(c, ctx.baseUrl, removals.at(-1)?.userId, { limit: query.limit })
    }
    return { removals: removals.map(removalView) }
  })
}

const removalView = ({ userId, email, requestedAt, dueAt }: Removal) => ({
  user_id: userId,
  email,
  requested_at: iso(requestedAt),
  due_at: iso(dueAt),
})
