import { z } from 'zod'
import { Allowance } from './allowance.ts'
import { defineEndpoint } from './endpoint.ts'
import { NEW_GUEST } from './examples/new-tenant.ts'
import { SAMPLE } from './examples/sample.ts'
import { TIERS } from './limits.ts'
import { RuntimeProfileName } from './runtime-profile.ts'

export const TENANT_LIFECYCLES = ['ephemeral', 'claimed'] as const
export const TENANT_STATUSES = ['ephemeral', 'claimed', 'paused', 'expired'] as const

const Empty = z.strictObject({})

export const CredentialsFile = z.strictObject({ filename: z.literal('.service'), content: z.string() }).meta({
  id: 'CredentialsFile',
  description: 'Write it verbatim, with mode 0600, and keep it out of version control.',
})

/** The only answer that carries keys. A guest's cannot be asked for again. */
export const NewTenant = z
  .strictObject({
    tenant_id: z.string(),
    coh_management_key: z.string().describe('For `/api/*`. Keep it on the server.'),
    coh_application_key: z.string().describe('For `/edge/session`.'),
    status: z.enum(TENANT_LIFECYCLES),
    expires_at: z.iso.datetime().nullable(),
    tenant_lifecycle: z.enum(TENANT_LIFECYCLES),
    runtime_profile: RuntimeProfileName,
    base_url: z.string(),
    credentials_file: CredentialsFile,
  })
  .meta({ id: 'NewTenant', description: 'A tenant and its keys, which cannot be asked for again.' })

export const TenantStatus = z
  .strictObject({
    tenant_id: z.string(),
    status: z.enum(TENANT_STATUSES),
    lifecycle: z.enum(TENANT_LIFECYCLES),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime().nullable(),
    seconds_left: z.int().nullable().describe('Until a guest ends; null when it does not.'),
    runtime_profile: RuntimeProfileName,
    tier: z.enum(TIERS),
    pause_reason: z
      .enum(['lifetime_events', 'stored_users'])
      .nullable()
      .describe('Which hard cap is used up; claiming lifts it.'),
    resources: z.array(z.strictObject({ resource: z.literal('social-login'), status: z.literal('active') })),
    usage: z.strictObject({
      stored_users: Allowance,
      events_this_minute: Allowance,
      events_this_month: Allowance,
      events_lifetime: Allowance,
    }),
    /** The allowance that is nearest to its end, so that an agent can act before it is. null: nothing is limited yet used. */
    next_limit: z
      .strictObject({
        allowance: z.enum(['stored_users', 'events_this_minute', 'events_this_month', 'events_lifetime']),
        used: z.int(),
        limit: z.int(),
        left: z.int(),
        warning: z.string().nullable(),
      })
      .nullable(),
    claim: z
      .strictObject({ url_endpoint: z.string() })
      .nullable()
      .describe('Where to ask for a claim link; null when it has an owner.'),
  })
  .meta({ id: 'TenantStatus', description: 'How a tenant stands.' })

export const createGuestTenant = defineEndpoint({
  id: 'createGuestTenant',
  method: 'POST',
  path: '/api/genesis',
  auth: 'none',
  summary: 'Create a guest tenant. It lives 72 hours unless a person claims it. The keys are shown once.',
  tag: 'Tenants',
  body: Empty.optional(),
  ok: { status: 201, body: NewTenant },
  errors: ['bannedUserAgent', 'invalidRequest', 'unsupportedMediaType', 'bodyTooLarge', 'rateLimited'],
  example: { body: {}, response: NEW_GUEST },
})

export const readStatus = defineEndpoint({
  id: 'readStatus',
  method: 'GET',
  path: '/api/status',
  auth: 'management',
  summary: 'What this tenant is, how long it has, and what is left of its allowances. Works in every state.',
  tag: 'Tenants',
  ok: { status: 200, body: TenantStatus },
  errors: ['missingCredentials', 'invalidCredentials', 'wrongKeyKind', 'invalidRequest'],
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
        events_lifetime: { used: 2, limit: 100 },
      },
      next_limit: { allowance: 'events_lifetime', used: 2, limit: 100, left: 98, warning: null },
      claim: { url_endpoint: '{base_url}/api/claim/url' },
    },
  },
})

/** In documentation order. */
export const TENANT_ENDPOINTS = [createGuestTenant, readStatus] as const
