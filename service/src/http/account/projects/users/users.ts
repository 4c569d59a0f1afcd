import { readProject } from '../../../../operations/observability/read-insights.ts'
import { readRemovals } from '../../../../operations/users/list-removals.ts'
import type { App, HttpDependencies } from '../../../dependencies.ts'
import { page } from '../../../responses.ts'
import { projectPage, readFrame } from '../project-route.ts'
import { usersPage } from './users-page.ts'

/** The tab "Users". */
export function projectUserRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  projectPage(app, deps, '/users', async (c, project) => {
    const { users } = await readProject(ctx, project.tenant)
    const removals = await readRemovals(ctx, project.tenant)
    return page(c, usersPage(await readFrame(deps, project, undefined), { users, removals }))
  })
}
