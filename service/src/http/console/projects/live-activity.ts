import { ApiError } from '../../../domain/api-error.ts'
import { findAccountSession } from '../../../operations/accounts/account-session.ts'
import { followActivity } from '../../../operations/events/events.ts'
import { requireOwnedTenant } from '../../../operations/tenants/require-tenant.ts'
import { requestAddressKey } from '../../callers/author.ts'
import { accountCookie } from '../../callers/sessions.ts'
import { html } from '../../pages/markup.ts'
import { page } from '../../responses.ts'
import { projectRoute } from '../console-page.ts'
import { accountPaths } from '../paths.ts'
import type { ProjectCall } from '../project-call.ts'
import { activityRows, filterOf, folded, overviewQuery, SHOWN } from './activity.ts'

/** The rows that the script of the overview adds to the activity, as soon as there are some. */
export const liveActivityRoute = projectRoute(accountPaths.liveActivity, async (call) => {
  const { c, deps, ctx, owner, tenant } = call
  const query = overviewQuery(c.req.query())
  const activity = await followActivity(ctx, tenant, {
    account: owner.session.account,
    after: query.after ?? 0,
    limit: SHOWN,
    ...filterOf(query),
    addressKey: requestAddressKey(deps, c),
    signal: c.req.raw.signal,
  })
  if (activity.length > 0) {
    await requireStillOwner(call)
  }
  const { rows } = folded(activity, query)
  return page(
    c,
    html`<table data-after="${activity[0]?.id ?? query.after ?? 0}">${activityRows(tenant.id, rows, ctx.now())}</table>`,
  )
})

/** Prevents that a browser that was signed out during the wait reads what happened since. */
async function requireStillOwner({ ctx, c, tenant }: ProjectCall): Promise<void> {
  const session = await findAccountSession(ctx, accountCookie(c, ctx.baseUrl))
  if (session === null) {
    throw new ApiError('missingCredentials', 'You are no longer signed in.')
  }
  await requireOwnedTenant(ctx, session.account, tenant.id)
}
