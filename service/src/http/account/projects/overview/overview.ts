import { loginUrl } from '@gatehouse/contract'
import { fixFor } from '../../../../domain/refusals/refusal.ts'
import { readRecentActions } from '../../../../operations/audit/list-audit.ts'
import { readProject } from '../../../../operations/observability/read-insights.ts'
import { listRefusals } from '../../../../operations/refusals/list-refusals.ts'
import type { App, HttpDependencies } from '../../../dependencies.ts'
import { page } from '../../../responses.ts'
import { projectPage, readFrame } from '../project-route.ts'
import { overviewPage } from './overview-page.ts'

/** The tab "Overview". */
export function overviewRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  projectPage(app, deps, '', async (c, project) => {
    const { tenant } = project
    const { provisioned, users, activeSessions, daily, activity } = await readProject(ctx, tenant)
    const html = overviewPage(await readFrame(deps, project, undefined), {
      createdAt: tenant.createdAt,
      claimedAt: tenant.claimedAt ?? tenant.createdAt,
      loginUrl: provisioned ? loginUrl(ctx.baseUrl, tenant.id) : null,
      users: users.total,
      sessions: activeSessions,
      daily,
      activity,
      refusals: (await listRefusals(ctx, tenant)).map((refusal) => ({ ...refusal, fix: fixFor(refusal) })),
      changes: await readRecentActions(ctx, tenant),
    })
    return page(c, html)
  })
}
