import { deleteTenant } from '../../../../operations/tenants/end-tenant.ts'
import { ownerAuthor } from '../../../callers/author.ts'
import type { App, Call, HttpDependencies } from '../../../dependencies.ts'
import { page, scriptedPage } from '../../../responses.ts'
import { accountPaths, withQuery } from '../../paths.ts'
import { type OwnedProject, projectPage, projectPost, readFrame } from '../project-route.ts'
import { dangerPage } from './danger-page.ts'
import { projectDeletedPage } from './project-deleted-page.ts'

/** The tab "Danger". */
export function projectDangerRoutes(app: App, deps: HttpDependencies): void {
  const { ctx, operator } = deps
  const show = async (c: Call, project: OwnedProject, wrongConfirmation: boolean, status = 200): Promise<Response> =>
    scriptedPage(c, dangerPage(await readFrame(deps, project, undefined), { wrongConfirmation }), status)

  projectPage(app, deps, '/danger', (c, project) => show(c, project, false))

  projectPost(app, deps, '/danger/delete', async (c, { owner, tenant, form }) => {
    if (form.get('confirm')?.trim() !== tenant.id) return show(c, { owner, tenant }, true, 400)
    const rowsLeft = await deleteTenant(ctx, tenant, ownerAuthor(c, owner))
    if (rowsLeft > 0) return c.redirect(withQuery(accountPaths.deletion(tenant.id), { of: rowsLeft }), 303)
    return page(c, projectDeletedPage({ tenantId: tenant.id, rowsLeft, rowsTotal: 0, operator }))
  })
}
