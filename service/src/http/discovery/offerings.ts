import { AUTH_EVENT_KINDS, ENDPOINTS, GUEST_LIFETIME_SECONDS, type Tag, TIER_LIMITS } from '@gatehouse/contract'

const PARTS: readonly Tag[] = ['Social login', 'Users and events', 'Sessions']

const summary = (baseUrl: string) => ({
  offering: 'social-login',
  title: 'Social login',
  description: 'Sign in with Google for any app, with nothing to set up at Google.',
  identity_providers: ['google'],
  url: `${baseUrl}/offerings/social-login`,
  provision: { method: 'POST', url: `${baseUrl}/api/resources/social-login`, mcp_tool: 'provision_resource' },
})

/** What there is to provision, as data: `Accept: application/json` on the pages of the same addresses. */
export const OFFERING_DATA: Readonly<Record<string, (baseUrl: string) => object>> = {
  '/offerings': (baseUrl) => ({
    offerings: [summary(baseUrl)],
    docs_url: `${baseUrl}/docs`,
    openapi_url: `${baseUrl}/openapi.json`,
  }),
  '/offerings/social-login': (baseUrl) => ({
    ...summary(baseUrl),
    endpoints: ENDPOINTS.filter(({ tag }) => PARTS.includes(tag)).map(({ id, method, path, auth, summary }) => ({
      operation: id,
      method,
      url: `${baseUrl}${path.replace(/:([A-Za-z]+)/g, '{$1}')}`,
      auth,
      summary,
      docs_url: `${baseUrl}/docs/api#${id}`,
    })),
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
