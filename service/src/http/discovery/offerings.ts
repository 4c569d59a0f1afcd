import { AUTH_EVENT_KINDS, ENDPOINTS, GUEST_LIFETIME_SECONDS, type Tag, TIER_LIMITS } from '@gatehouse/contract'
import { operationPath } from './docs/api/groups.ts'

const SOCIAL_LOGIN_TAGS: readonly Tag[] = ['Social login', 'Users and events', 'Sessions']

const summary = (baseUrl: string) => ({
  offering: 'social-login',
  title: 'Social login',
  description: 'Sign in with Google for any app, with nothing to set up at Google.',
  identity_providers: ['google'],
  url: `${baseUrl}/offerings/social-login`,
  provision: { method: 'POST', url: `${baseUrl}/api/resources/social-login`, mcp_tool: 'provision_resource' },
})

/** The offerings as JSON: the pages of these paths with `Accept: application/json`. */
export const OFFERING_DATA: Readonly<Record<string, (baseUrl: string) => object>> = {
  '/offerings': (baseUrl) => ({
    offerings: [summary(baseUrl)],
    docs_url: `${baseUrl}/docs`,
    openapi_url: `${baseUrl}/openapi.json`,
  }),
  '/offerings/social-login': (baseUrl) => ({
    ...summary(baseUrl),
    endpoints: ENDPOINTS.filter(({ tag }) => SOCIAL_LOGIN_TAGS.includes(tag)).map(
      ({ id, method, path, auth, summary, tag }) => ({
        operation: id,
        method,
        url: `${baseUrl}${path.replace(/:([A-Za-z]+)/g, '{$1}')}`,
        auth,
        summary,
        docs_url: baseUrl + operationPath(tag, id),
      }),
    ),
    events: AUTH_EVENT_KINDS,
    guest_lifetime_seconds: GUEST_LIFETIME_SECONDS,
    limits: Object.fromEntries(
      Object.entries(TIER_LIMITS).map(([tier, limits]) => [
        tier,
        {
          stored_users: limits.storedUsers,
          events_per_minute: limits.eventsPerMinute,
          events_per_month: limits.eventsPerMonth,
          events_per_lifetime: limits.eventsPerLifetime,
        },
      ]),
    ),
    docs_url: `${baseUrl}/docs/social-login`,
    openapi_url: `${baseUrl}/openapi.json`,
  }),
}
