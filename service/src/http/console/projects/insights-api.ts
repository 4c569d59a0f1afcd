import { readInsights as readInsightsEndpoint } from '@gatehouse-auth/contract'
import { ApiError } from '../../../domain/api-error.ts'
import { readInsights } from '../../../operations/events/insights.ts'
import { signedInOwner } from '../../callers/sessions.ts'
import type { App, HttpDependencies } from '../../dependencies.ts'
import { userView } from '../../event-views.ts'
import { mount } from '../../mount-endpoint.ts'
import { accountUsageView } from '../../views.ts'

/** The insights of the signed-in owner as JSON. Fields are listed one by one, so that a new one never leaks. */
export function insightRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  mount(app, deps, readInsightsEndpoint, async (_input, c) => {
    const owner = await signedInOwner(ctx, c)
    if (owner === null) {
      throw new ApiError(
        'missingCredentials',
        `You are not signed in. Sign in at ${ctx.baseUrl}/account first.`,
      )
    }
    const { account, usage, projects } = await readInsights(ctx, owner.session.account)
    return {
      account: { email: account.email, tier: account.tier, usage: accountUsageView(usage) },
      projects: projects.map(({ tenant, users, activeSessions, activity, daily }) => ({
        tenant_id: tenant.id,
        created_at: new Date(tenant.createdAt).toISOString(),
        claimed_at: new Date(tenant.claimedAt ?? tenant.createdAt).toISOString(),
        users: { total: users.total, recent: users.recent.map(userView) },
        active_sessions: activeSessions,
        activity: activity.map(({ event, userId, email, createdAt, errorCode }) => ({
          event,
          user_id: userId,
          email,
          created_at_ms: createdAt,
          ...(errorCode === null ? {} : { error_code: errorCode }),
        })),
        daily: daily.map(({ day, logins, refreshes, logouts, failures }) => ({
          day,
          logins,
          refreshes,
          logouts,
          failures,
        })),
      })),
    }
  })
}
