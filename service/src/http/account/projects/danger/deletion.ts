import { readTenantDeletion } from '../../../../operations/tenants/end-tenant.ts'
import { signedInOwner } from '../../../callers/account-session.ts'
import type { App, HttpDependencies } from '../../../dependencies.ts'
import { page } from '../../../responses.ts'
import { idField, pageRoute } from '../../form.ts'
import { accountPaths } from '../../paths.ts'
import { projectDeletedPage } from './project-deleted-page.ts'

/** How often the page asks again. The sweep erases in steps, once a minute. */
const RELOAD_SECONDS = 5

/** What is left of a large project after its deletion. The project's own pages are gone. */
export function deletionRoutes(app: App, deps: HttpDependencies): void {
  const { ctx, operator } = deps

  pageRoute(app, deps, 'GET', accountPaths.deletion(':tenantId'), async (c) => {
    const owner = await signedInOwner(ctx, c)
    if (owner === null) return c.redirect(`${accountPaths.home}?next=${encodeURIComponent(c.req.path)}`, 303)
    const tenantId = c.req.param('tenantId') ?? ''
    const rowsLeft = await readTenantDeletion(ctx, owner.session.account, tenantId)
    // A header, because it needs no script and no element that assistive technology would announce.
    if (rowsLeft > 0) c.header('Refresh', String(RELOAD_SECONDS))
    const rowsTotal = Math.max(idField(c.req.query('of') ?? null), rowsLeft)
    return page(c, projectDeletedPage({ tenantId, rowsLeft, rowsTotal, operator }))
  })
}
