import * as z from 'zod'
import { AUTH_EVENT_KINDS } from '../event-kinds.ts'
import { SAMPLE, SAMPLE_LISTED_USER, SAMPLE_USER } from '../examples.ts'
import { AUDIT_PAGE_DEFAULT, AUDIT_PAGE_MAX, TIERS } from '../limits.ts'
import { AuditEntry } from '../schemas/audit.ts'
import { LoginFailureCode, Refusal } from '../schemas/login-failure.ts'
import { Allowance, Cursor, wholeNumber } from '../schemas/query.ts'
import { User } from '../schemas/user.ts'
import { WEBHOOK_ERRORS } from '../schemas/webhook.ts'
import { defineEndpoint, MANAGEMENT_ERRORS } from './define-endpoint.ts'

export const AccountUsage = z
  .strictObject({
    stored_users: Allowance,
    events_this_minute: Allowance,
    events_this_month: Allowance,
  })
  .meta({
    id: 'AccountUsage',
    description: 'Usage of an account against the limits of its tier, over all its projects.',
  })

const Activity = z.strictObject({
  event: z.enum(AUTH_EVENT_KINDS),
  user_id: z.int().nullable(),
  email: z.string().nullable(),
  created_at_ms: z.int(),
  error_code: LoginFailureCode.optional(),
})

const Day = z.strictObject({
  day: z.iso.date(),
  logins: z.int(),
  refreshes: z.int(),
  logouts: z.int(),
  failures: z.int(),
})

const exampleUsage = {
  stored_users: { used: 1, limit: 5_000 },
  events_this_minute: { used: 0, limit: 30 },
  events_this_month: { used: 2, limit: 5_000 },
}

export const readInsights = defineEndpoint({
  id: 'readInsights',
  method: 'GET',
  path: '/account/insights/data',
  auth: 'account-session',
  summary:
    'Read users, active sessions and recent activity of all projects of the signed-in account.',
  tag: 'Insights',
  ok: {
    status: 200,
    body: z.strictObject({
      account: z.strictObject({ email: z.string(), tier: z.enum(TIERS), usage: AccountUsage }),
      projects: z.array(
        z.strictObject({
          tenant_id: z.string(),
          created_at: z.iso.datetime(),
          claimed_at: z.iso.datetime(),
          users: z.strictObject({ total: z.int(), recent: z.array(User) }),
          active_sessions: z.int(),
          activity: z.array(Activity),
          daily: z.array(Day),
        }),
      ),
    }),
  },
  errors: ['missingCredentials', 'invalidRequest'],
  example: {
    response: {
      account: { email: SAMPLE_USER.email, tier: 'free', usage: exampleUsage },
      projects: [
        {
          tenant_id: SAMPLE.tenantId,
          created_at: '2026-11-15T12:00:00.000Z',
          claimed_at: '2026-11-15T12:10:00.000Z',
          users: { total: 1, recent: [SAMPLE_LISTED_USER] },
          active_sessions: 1,
          activity: [
            {
              event: 'authorize',
              user_id: 1,
              email: SAMPLE_USER.email,
              created_at_ms: 1_794_744_061_000,
            },
          ],
          daily: [{ day: '2026-11-15', logins: 1, refreshes: 0, logouts: 0, failures: 0 }],
        },
      ],
    },
  },
})

const RECENT_EVENTS_MAX = 500
const RECENT_EVENTS_DEFAULT = 100

/** `webhook` and `deploy` are reserved; the service does not produce them yet. */
const RecentEvent = z.discriminatedUnion('source', [
  z.strictObject({
    source: z.literal('auth'),
    tenant_id: z.string(),
    at_ms: z.int(),
    event: z.enum(AUTH_EVENT_KINDS),
    user_id: z.int().nullable(),
    email: z.string().nullable(),
    error_code: LoginFailureCode.optional(),
  }),
  z.strictObject({
    source: z.literal('api'),
    tenant_id: z.string(),
    at_ms: z.int(),
    method: z.string(),
    route: z.string(),
    status: z.int(),
    duration_ms: z.number(),
    request_id: z.string(),
  }),
  z.strictObject({
    source: z.literal('webhook'),
    tenant_id: z.string(),
    at_ms: z.int(),
    webhook_id: z.string(),
    event_id: z.int().nullable(),
    attempt: z.int(),
    delivered: z.boolean(),
    status: z.int().nullable(),
    error: z.enum(WEBHOOK_ERRORS).nullable(),
    duration_ms: z.number(),
  }),
  z.strictObject({ source: z.literal('deploy'), tenant_id: z.string(), at_ms: z.int() }),
])

export const readObservability = defineEndpoint({
  id: 'readObservability',
  method: 'GET',
  path: '/api/observability',
  auth: 'management',
  summary:
    'Read the latest auth events, API requests and webhook deliveries of all projects of this tenant’s owner.',
  tag: 'Insights',
  query: z.strictObject({
    include: z.literal('recent_events').optional(),
    tenant_id: z.string().optional(),
    since: Cursor.optional(),
    limit: wholeNumber(1, RECENT_EVENTS_MAX).optional().default(RECENT_EVENTS_DEFAULT),
  }),
  ok: {
    status: 200,
    body: z.strictObject({
      auth: z.strictObject({ mode: z.literal('management_key'), via_tenant_id: z.string() }),
      summary: z.strictObject({
        projects: z.int(),
        stored_users: z.int(),
        active_sessions: z.int(),
      }),
      tenants: z.array(
        z.strictObject({
          tenant_id: z.string(),
          claimed_at: z.iso.datetime(),
          runtime_profile: z.string(),
          stored_users: z.int(),
          active_sessions: z.int(),
        }),
      ),
      usage: AccountUsage,
      recent_events: z.array(RecentEvent).optional(),
    }),
  },
  errors: [
    'missingCredentials',
    'invalidCredentials',
    'wrongKeyKind',
    'observabilityRequiresClaim',
    'tenantPaused',
    'tenantExpired',
    'tenantNotFound',
    'invalidRequest',
    'rateLimited',
  ],
  example: {
    query: { include: 'recent_events', limit: 1 },
    response: {
      auth: { mode: 'management_key', via_tenant_id: SAMPLE.tenantId },
      summary: { projects: 1, stored_users: 1, active_sessions: 1 },
      tenants: [
        {
          tenant_id: SAMPLE.tenantId,
          claimed_at: '2026-11-15T12:10:00.000Z',
          runtime_profile: 'v1-1',
          stored_users: 1,
          active_sessions: 1,
        },
      ],
      usage: exampleUsage,
      recent_events: [
        {
          source: 'auth',
          tenant_id: SAMPLE.tenantId,
          at_ms: 1_794_744_061_000,
          event: 'authorize',
          user_id: 1,
          email: SAMPLE_USER.email,
        },
      ],
    },
  },
})

/** In documentation order. */
export const OBSERVABILITY_ENDPOINTS = [readObservability, readInsights] as const

export const listAudit = defineEndpoint({
  id: 'listAudit',
  method: 'GET',
  path: '/api/audit',
  auth: 'management',
  summary:
    'List the management actions on this tenant by ascending id: who did what, and when. Kept for 90 days, the newest 10,000.',
  tag: 'Tenants',
  query: z.strictObject({
    after: Cursor.optional()
      .default(0)
      .describe('The id of an action: only newer ones are listed.'),
    limit: wholeNumber(1, AUDIT_PAGE_MAX).optional().default(AUDIT_PAGE_DEFAULT),
  }),
  ok: {
    status: 200,
    body: z.strictObject({ actions: z.array(AuditEntry) }),
    headers: ['NextPage'],
  },
  errors: MANAGEMENT_ERRORS,
  example: {
    query: { after: 0, limit: 50 },
    response: {
      actions: [
        {
          id: 1,
          at_ms: 1_794_744_000_000,
          actor: 'key:1f0c9a2b',
          action: 'social_login.provisioned',
          target: null,
          request_id: 'req_EXAMPLE',
        },
      ],
    },
  },
})

/** In documentation order. */
export const AUDIT_ENDPOINTS = [listAudit] as const

export const listRefusals = defineEndpoint({
  id: 'listRefusals',
  method: 'GET',
  path: '/api/social-login/refusals',
  auth: 'management',
  summary:
    'Why sign-ins did not work: the refused starts and callbacks of the last 24 hours by kind, the newest first, each with its fix. Works while paused.',
  tag: 'Users and events',
  ok: { status: 200, body: z.strictObject({ refusals: z.array(Refusal) }) },
  errors: MANAGEMENT_ERRORS.filter((code) => code !== 'tenantPaused'),
  example: {
    response: {
      refusals: [
        {
          step: 'start',
          code: 'invalidRedirectUri',
          count: 3,
          first_at_ms: 1_794_744_000_000,
          last_at_ms: 1_794_744_060_000,
          sent: 'http://localhost:3001/auth/callback',
          closest: SAMPLE.callbackUrl,
          differs: 'port',
          meaning: '`redirect_uri` matches no registered callback URL.',
          fix: `Send redirect_uri=${SAMPLE.callbackUrl}, or add http://localhost:3001/auth/callback to the registered URLs (\`provision --add\`; POST /api/resources/social-login replaces the whole list).`,
        },
      ],
    },
  },
})

/** In documentation order. */
export const REFUSAL_ENDPOINTS = [listRefusals] as const
