import { readActiveSessions, readProject } from '../../../../operations/observability/read-insights.ts'
import { endSession } from '../../../../operations/sessions/end-session.ts'
import { ownerAuthor } from '../../../callers/author.ts'
import type { App, HttpDependencies } from '../../../dependencies.ts'
import { scriptedPage } from '../../../responses.ts'
import { idField } from '../../form.ts'
import { accountPaths } from '../../paths.ts'
import { projectPage, projectPost, readFrame, type StatusMessages, statusMessage } from '../project-route.ts'
import { sessionsPage } from './sessions-page.ts'

const MESSAGES: StatusMessages = new Map([['session-ended', 'Session ended.']])

/** The tab "Sessions". */
export function projectSessionRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  projectPage(app, deps, '/sessions', async (c, project) => {
    const { activeSessions } = await readProject(ctx, project.tenant)
    const recent = await readActiveSessions(ctx, project.tenant)
    const frame = await readFrame(deps, project, statusMessage(c, MESSAGES))
    return scriptedPage(c, sessionsPage(frame, { total: activeSessions, recent }))
  })

  projectPost(app, deps, '/sessions/end', async (c, { owner, tenant, form }) => {
    await endSession(ctx, tenant, idField(form.get('session')), 'owner', ownerAuthor(c, owner))
    const userId = idField(form.get('user'))
    const back = userId > 0 ? accountPaths.user(tenant.id, userId) : accountPaths.sessions(tenant.id)
    return c.redirect(`${back}?done=session-ended`, 303)
  })
}
