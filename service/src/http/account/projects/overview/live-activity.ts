import { ApiError } from '../../../../domain/api-error.ts'
import { findAccountSession } from '../../../../operations/accounts/account-session.ts'
import { followActivity } from '../../../../operations/social-login/events.ts'
import { requireOwnedTenant } from '../../../../operations/tenants/require-tenant.ts'
import { accountCookie } from '../../../callers/account-session.ts'
import { requestAddressKey } from '../../../callers/client-address.ts'
import type { App, Call, HttpDependencies } from '../../../dependencies.ts'
import { html } from '../../../pages/markup.ts'
import { page } from '../../../responses.ts'
import { projectPage } from '../project-route.ts'
import { overviewQuery } from './activity-filter.ts'
import { activityRows } from './activity-table.ts'

const SHOWN = 25

/** The rows that the script of the overview adds to the activity, as soon as there are some. */
export function liveActivityRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  projectPage(app, deps, '/activity', async (c, { owner, tenant }) => {
    const { event, user: userId, after } = overviewQuery(c.req.query())
    const activity = await followActivity(ctx, tenant, {
      account: owner.session.account,
      after: after ?? 0,
      limit: SHOWN,
      ...(event === undefined ? {} : { event }),
      ...(userId === undefined ? {} : { userId }),
      addressKey: requestAddressKey(deps, c),
      signal: c.req.raw.signal,
    })
    if (activity.length > 0) await requireStillOwner(c, tenant.id)
    return page(c, html`<table>${activityRows(tenant.id, activity, ctx.now())}</table>`)
  })

  /** Prevents that a browser that was signed out during the wait reads what happened since. */
  async function requireStillOwner(c: Call, tenantId: string): Promise<void> {
    const session = await findAccountSession(ctx, accountCookie(c, ctx.baseUrl))
    if (session === null) throw new ApiError('missingCredentials', 'You are no longer signed in.')
    await requireOwnedTenant(ctx, session.account, tenantId)
  }
}
