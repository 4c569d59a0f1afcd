import * as z from 'zod'
import { WEBHOOK_DISABLED_REASONS } from '../event-kinds.ts'
import { NEW_GUEST, SAMPLE } from '../examples.ts'
import { TIERS } from '../limits.ts'
import { Refusal } from '../schemas/login-failure.ts'
import { ProviderName } from '../schemas/provider.ts'
import { Allowance, RuntimeProfileName } from '../schemas/query.ts'
import { defineEndpoint } from './define-endpoint.ts'

export const TENANT_LIFECYCLES = ['ephemeral', 'claimed'] as const
export const TENANT_STATUSES = ['ephemeral', 'claimed', 'paused', 'suspended', 'expired'] as const

const Empty = z.strictObject({})

export const CredentialsFile = z
  .strictObject({ filename: z.literal('.service'), content: z.string() })
  .meta({
    id: 'CredentialsFile',
    description: 'Write it verbatim, with mode 0600, and keep it out of version control.',
  })

/** The only REST response that contains keys. The keys of a guest tenant can't be retrieved later. */
export const NewTenant = z
  .strictObject({
    tenant_id: z.string(),
    coh_management_key: z.string().describe('For `/api/*`. Keep it on your server.'),
    coh_application_key: z.string().describe('For `/edge/session`.'),
    status: z.enum(TENANT_LIFECYCLES),
    expires_at: z.iso.datetime().nullable(),
    tenant_lifecycle: z.enum(TENANT_LIFECYCLES),
    runtime_profile: RuntimeProfileName,
    base_url: z.string(),
    credentials_file: CredentialsFile,
  })
  .meta({
    id: 'NewTenant',
    description: 'A tenant and its keys. The keys of a guest tenant are shown only once.',
  })

export const TenantStatus = z
  .strictObject({
    tenant_id: z.string(),
    status: z
      .enum(TENANT_STATUSES)
      .describe(
        '`ephemeral`: a guest. `claimed`: it has an owner. `paused`: a guest reached a limit. `suspended`: the operator stopped it, see `suspension`. `expired`: it has ended.',
      ),
    lifecycle: z.enum(TENANT_LIFECYCLES),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime().nullable(),
    seconds_left: z
      .int()
      .nullable()
      .describe('Until a guest tenant expires; null for an owned one.'),
    runtime_profile: RuntimeProfileName,
    tier: z.enum(TIERS),
    pause_reason: z
      .enum(['lifetime_events', 'stored_users'])
      .nullable()
      .describe('The hard cap that was reached; claiming the tenant lifts the pause.'),
    suspension: z
      .strictObject({ reason: z.string(), since: z.iso.datetime() })
      .optional()
      .describe(
        'Present if the operator suspended the tenant: why, in their words, and since when.',
      ),
    resources: z.array(
      z.strictObject({ resource: z.literal('social-login'), status: z.literal('active') }),
    ),
    usage: z
      .strictObject({
        stored_users: Allowance,
        events_this_minute: Allowance,
        events_this_month: Allowance,
        login_starts_this_minute: Allowance,
        login_starts_this_month: Allowance,
        authenticated_events_this_minute: Allowance.describe(
          'Deprecated: the sign-ins and refreshes among `events_this_minute`. Earlier tools read it.',
        ),
        authenticated_events_this_month: Allowance.describe(
          'Deprecated: the sign-ins and refreshes among `events_this_month`. Earlier tools read it.',
        ),
        events_lifetime: Allowance,
      })
      .describe(
        'All events of a minute or month share one limit, and login starts may use at most half of it, rounded up. A new login is rejected when either is used up. A sign-in or refresh is rejected when the events are used up and sign-ins and refreshes have used at least the other half. Denied and failed logins and logouts are always counted, also past the limit.',
      ),
    unlimited: z
      .literal(true)
      .optional()
      .describe(
        'Present on a development service with `DEV_UNLIMITED`: events are counted, and no limit rejects them.',
      ),
    /** The allowance with the largest used share, or the one of the month that will be used up, so that an agent can act in time. null: no allowance is limited. */
    next_limit: z
      .strictObject({
        allowance: z.enum([
          'stored_users',
          'events_this_minute',
          'events_this_month',
          'events_lifetime',
        ]),
        used: z.int(),
        limit: z.int(),
        left: z.int(),
        warning: z
          .string()
          .nullable()
          .describe(
            'From four fifths on, or if the present rate reaches a limit of the month before its end: how much is left, what stops then, and on which day.',
          ),
      })
      .nullable(),
    disabled_webhooks: z
      .array(z.strictObject({ id: z.string(), reason: z.enum(WEBHOOK_DISABLED_REASONS) }))
      .optional()
      .describe(
        'Present if webhooks are disabled that you did not disable. Their events wait: enable them again.',
      ),
    failing_providers: z
      .array(z.strictObject({ name: ProviderName, client_id: z.string(), warning: z.string() }))
      .optional()
      .describe('Present if a provider refused your own client there: sign-ins with it fail.'),
    recent_refusals: z
      .array(Refusal)
      .optional()
      .describe(
        'Present if sign-ins were refused in the last 24 hours: the newest kinds, with their fixes.',
      ),
    claim: z
      .strictObject({ url_endpoint: z.string() })
      .nullable()
      .describe(
        'The endpoint that creates a claim link; null when the tenant has an owner, is suspended or has expired.',
      ),
  })
  .meta({ id: 'TenantStatus', description: 'Status, limits and usage of a tenant.' })

export const createGuestTenant = defineEndpoint({
  id: 'createGuestTenant',
  method: 'POST',
  path: '/api/genesis',
  auth: 'none',
  summary:
    'Create a guest tenant. It expires after 72 hours unless a user claims it. The keys are shown only once.',
  description:
    'With `Accept: text/plain`, the response is the credentials file itself. Not idempotent: if the outcome is unclear, do not retry without asking the user. A `User-Agent` that contains `curl` is rejected.',
  tag: 'Tenants',
  body: Empty.optional(),
  ok: {
    status: 201,
    body: NewTenant,
    headers: ['RateLimit', 'RateLimitPolicy'],
    plainText: {
      description: 'The credentials file itself, to be written to `.service` as it is.',
      body: 'The content of the `.service` file.',
    },
  },
  errors: [
    'bannedUserAgent',
    'invalidRequest',
    'unsupportedMediaType',
    'bodyTooLarge',
    'rateLimited',
    'outcomeUnknown',
  ],
  example: { body: {}, response: NEW_GUEST },
})

export const readStatus = defineEndpoint({
  id: 'readStatus',
  method: 'GET',
  path: '/api/status',
  auth: 'management',
  summary:
    'Read the status of this tenant, its time left, and its usage against limits. Works in every state.',
  tag: 'Tenants',
  ok: { status: 200, body: TenantStatus },
  errors: [
    'missingCredentials',
    'invalidCredentials',
    'wrongKeyKind',
    'invalidRequest',
    'rateLimited',
  ],
  example: {
    response: {
      tenant_id: SAMPLE.tenantId,
      status: 'ephemeral',
      lifecycle: 'ephemeral',
      created_at: '2026-11-15T12:00:00.000Z',
      expires_at: '2026-11-18T12:00:00.000Z',
      seconds_left: 258_600,
      runtime_profile: 'v1-1',
      tier: 'ephemeral',
      pause_reason: null,
      resources: [{ resource: 'social-login', status: 'active' }],
      usage: {
        stored_users: { used: 1, limit: 1_000 },
        events_this_minute: { used: 0, limit: 5 },
        events_this_month: { used: 2, limit: null },
        login_starts_this_minute: { used: 0, limit: 3 },
        login_starts_this_month: { used: 1, limit: null },
        authenticated_events_this_minute: { used: 0, limit: 5 },
        authenticated_events_this_month: { used: 1, limit: null },
        events_lifetime: { used: 2, limit: 100 },
      },
      next_limit: { allowance: 'events_lifetime', used: 2, limit: 100, left: 98, warning: null },
      claim: { url_endpoint: '{base_url}/api/claim/url' },
    },
  },
})

/** In documentation order. */
export const TENANT_ENDPOINTS = [createGuestTenant, readStatus] as const
