import { readProject } from '../../../../operations/observability/insights.ts'
import { endSession, listActiveSessions } from '../../../../operations/sessions/end-session.ts'
import { ownerAuthor } from '../../../callers/author.ts'
import type { App, HttpDependencies } from '../../../dependencies.ts'
import { scriptedPage } from '../../../responses.ts'
import { idField } from '../../form.ts'
import { accountPaths, withQuery } from '../../paths.ts'
import { projectPage, projectPost, readFrame, type StatusMessages, statusMessage } from '../project-route.ts'
import { sessionsPage } from './sessions-page.ts'

const SHOWN = 25

const MESSAGES: StatusMessages = new Map([['session-ended', 'Session ended.']])

/** The tab "Sessions". */
export function projectSessionRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  projectPage(app, deps, '/sessions', async (c, project) => {
    const { activeSessions } = await readProject(ctx, project.tenant)
    const before = pageField(c.req.query('before') ?? null)
    const listed = await listActiveSessions(ctx, project.tenant, {
      limit: SHOWN,
      ...(before === undefined ? {} : { before }),
    })
    const frame = await readFrame(deps, project, statusMessage(c, MESSAGES))
    return scriptedPage(c, sessionsPage(frame, { ...listed, total: activeSessions, before }))
  })

  projectPost(app, deps, '/sessions/end', async (c, { owner, tenant, form }) => {
    await endSession(ctx, tenant, idField(form.get('session')), 'owner', ownerAuthor(c, owner))
    const userId = idField(form.get('user'))
    const back = userId > 0 ? accountPaths.user(tenant.id, userId) : accountPaths.sessions(tenant.id)
    return c.redirect(withQuery(back, { before: pageField(form.get('before')), done: 'session-ended' }), 303)
  })
}

/** The last session of the previous page. */
function pageField(value: string | null): number | undefined {
  const id = idField(value)
  return id > 0 ? id : undefined
}
