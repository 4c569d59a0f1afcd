import { renameProject } from '../../../../operations/tenants/status.ts'
import { ownerAuthor } from '../../../callers/author.ts'
import type { App, HttpDependencies } from '../../../dependencies.ts'
import { accountPaths } from '../../paths.ts'
import { projectPost } from '../project-route.ts'
import { formHandler, type ShowAgain } from './section-form.ts'

/** The form of `nameSection`. */
export function projectNameRoutes(app: App, deps: HttpDependencies, show: ShowAgain): void {
  projectPost(
    app,
    deps,
    '/name',
    formHandler('name', show, async (c, { owner, tenant, form }) => {
      await renameProject(deps.ctx, tenant, form.get('name') ?? '', ownerAuthor(c, owner))
      return `${accountPaths.settings(tenant.id)}?done=renamed#name`
    }),
  )
}
