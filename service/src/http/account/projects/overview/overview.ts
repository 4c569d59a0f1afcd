import { loginUrl } from '@gatehouse/contract'
import { fixFor } from '../../../../domain/refusal.ts'
import { readRecentActions } from '../../../../operations/audit.ts'
import { readDaily, readProject } from '../../../../operations/observability/insights.ts'
import { listRefusals } from '../../../../operations/refusals.ts'
import { listActivity } from '../../../../operations/social-login/events.ts'
import type { App, HttpDependencies } from '../../../dependencies.ts'
import { scriptedPage } from '../../../responses.ts'
import { projectPage, readFrame } from '../project-route.ts'
import { overviewQuery } from './activity-filter.ts'
import { liveActivityRoutes } from './live-activity.ts'
import { overviewPage } from './overview-page.ts'

const SHOWN = 25

/** The tab "Overview". */
export function overviewRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps
  liveActivityRoutes(app, deps)

  projectPage(app, deps, '', async (c, project) => {
    const { tenant } = project
    const { provisioned, users, activeSessions } = await readProject(ctx, tenant)
    const query = overviewQuery(c.req.query())
    const { days, event, user: userId, before } = query
    const { events, hasMore } = await listActivity(ctx, tenant, {
      limit: SHOWN,
      ...(event === undefined ? {} : { event }),
      ...(userId === undefined ? {} : { userId }),
      ...(before === undefined ? {} : { before }),
    })
    const html = overviewPage(await readFrame(deps, project, undefined), {
      createdAt: tenant.createdAt,
      claimedAt: tenant.claimedAt ?? tenant.createdAt,
      loginUrl: provisioned ? loginUrl(ctx.baseUrl, tenant.id) : null,
      users: users.total,
      sessions: activeSessions,
      query,
      daily: await readDaily(ctx, tenant, days),
      activity: events,
      olderThan: hasMore ? (events.at(-1)?.id ?? null) : null,
      refusals: (await listRefusals(ctx, tenant)).map((refusal) => ({ ...refusal, fix: fixFor(refusal) })),
      changes: await readRecentActions(ctx, tenant),
    })
    return scriptedPage(c, html)
  })
}
