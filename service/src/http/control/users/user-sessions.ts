import {
  endUserSession as endUserSessionEndpoint,
  endUserSessions as endUserSessionsEndpoint,
  listUserSessions as listUserSessionsEndpoint,
} from '@gatehouse/contract'
import type { Session } from '../../../domain/sessions/session.ts'
import { endUserSession, endUserSessions, listUserSessions } from '../../../operations/users/user-sessions.ts'
import { keyAuthor } from '../../callers/author.ts'
import type { App, HttpDependencies } from '../../dependencies.ts'
import { mountForManagementKey } from '../../mount-endpoint.ts'
import { numberIn } from './path-number.ts'

export function userSessionRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  mountForManagementKey(app, deps, listUserSessionsEndpoint, async ({ params, query }, c, tenant) => {
    const { sessions, hasMore } = await listUserSessions(ctx, tenant, numberIn(params.id), query)
    const last = sessions.at(-1)
    if (last !== undefined && hasMore) {
      const next = new URLSearchParams({ after: String(last.id), limit: String(query.limit) })
      c.header('Link', `<${ctx.baseUrl}${c.req.path}?${next}>; rel="next"`)
    }
    return { sessions: sessions.map(sessionView) }
  })

  mountForManagementKey(app, deps, endUserSessionsEndpoint, async ({ params }, c, tenant, key) => {
    const ended = await endUserSessions(ctx, tenant, numberIn(params.id), keyAuthor(c, key))
    return { success: true, ended } as const
  })

  mountForManagementKey(app, deps, endUserSessionEndpoint, async ({ params }, c, tenant, key) => {
    await endUserSession(ctx, tenant, numberIn(params.sid), keyAuthor(c, key))
    return { success: true } as const
  })
}

const iso = (ms: number): string => new Date(ms).toISOString()

const sessionView = ({ id, createdAt, rotatedAt, expiresAt, absoluteExpiresAt }: Session) => ({
  id,
  created_at: iso(createdAt),
  last_refreshed_at: iso(rotatedAt),
  expires_at: iso(Math.min(expiresAt, absoluteExpiresAt)),
})
