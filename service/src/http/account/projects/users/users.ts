import { USER_SEARCH_MIN_CHARACTERS } from '@gatehouse/contract'
import { invalidRequest } from '../../../../domain/api-error.ts'
import type { Tenant } from '../../../../domain/tenants/tenant.ts'
import { readRemovals } from '../../../../operations/users/delete-user.ts'
import { exportUsers, listUserRecords } from '../../../../operations/users/users.ts'
import { ownerAuthor } from '../../../callers/author.ts'
import { exportedUsers, isExportFormat } from '../../../control/users/exported-users.ts'
import type { App, Call, HttpDependencies } from '../../../dependencies.ts'
import { scriptedPage } from '../../../responses.ts'
import { idField } from '../../form.ts'
import { projectPage, projectPost, readFrame, type StatusMessages, statusMessage } from '../project-route.ts'
import { projectUserPageRoutes } from './user.ts'
import { type UserSearch, type Users, usersPage } from './users-page.ts'

const SHOWN = 25

const MESSAGES: StatusMessages = new Map([['user-deleted', 'User deleted.']])

/** The tab "Users". */
export function projectUserRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps
  projectUserPageRoutes(app, deps)

  projectPage(app, deps, '/users', async (c, project) => {
    const frame = await readFrame(deps, project, statusMessage(c, MESSAGES))
    const search = searchOf(c)
    const listed = frame.project.callbackHosts.length === 0 ? NO_USERS : await readUsers(project.tenant, search)
    const removals = await readRemovals(ctx, project.tenant)
    return scriptedPage(c, usersPage(frame, { search, ...listed, removals }))
  })

  projectPost(app, deps, '/users/export', async (c, { owner, tenant, form }) => {
    const format = form.get('format') ?? ''
    if (!isExportFormat(format)) throw invalidRequest('Choose a format on our page.', [])
    return exportedUsers(c, await exportUsers(ctx, tenant, ownerAuthor(c, owner)), format)
  })

  async function readUsers(tenant: Tenant, { q, blocked, after }: UserSearch): Promise<typeof NO_USERS> {
    const { first, hasMore, total } = await listUserRecords(ctx, tenant, {
      ...(q === '' ? {} : { prefix: q }),
      ...(blocked ? { blocked } : {}),
      after,
      limit: SHOWN,
      count: true,
      newestFirst: true,
    })
    return { users: first, hasMore, total: total ?? 0 }
  }
}

const NO_USERS: Pick<Users, 'users' | 'hasMore' | 'total'> = { users: [], hasMore: false, total: 0 }

/** Without a valid value, a parameter has no effect. */
function searchOf(c: Call): UserSearch {
  const q = (c.req.query('q') ?? '').trim()
  return {
    q: q.length >= USER_SEARCH_MIN_CHARACTERS && q.length <= 254 ? q : '',
    blocked: c.req.query('blocked') === 'true',
    after: Math.max(0, idField(c.req.query('after') ?? null)),
  }
}
