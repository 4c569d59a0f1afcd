import { renameProject } from '../../../operations/tenants/rename-project.ts'
import { ownerAuthor } from '../../callers/author.ts'
import type { App, HttpDependencies } from '../../dependencies.ts'
import { accountPaths } from '../paths.ts'
import { projectPost } from './project-route.ts'

/** The form of `nameSection`. */
export function projectNameRoutes(app: App, deps: HttpDependencies): void {
  projectPost(app, deps, '/name', async (c, { owner, tenant, form }) => {
    await renameProject(deps.ctx, tenant, form.get('name') ?? '', ownerAuthor(c, owner))
    return c.redirect(`${accountPaths.settings(tenant.id)}?done=renamed#name`, 303)
  })
}
