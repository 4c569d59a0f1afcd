import * as z from 'zod'
import { BODY_ERRORS } from '../api-errors.ts'
import { AUTH_EVENT_KINDS } from '../event-kinds.ts'
import { SAMPLE } from '../examples.ts'
import {
  CALLBACK_URLS_MAX,
  EVENTS_PAGE_DEFAULT,
  EVENTS_PAGE_MAX,
  LONG_POLL_MAX_SECONDS,
  REFRESH_LEEWAY_MAX_SECONDS,
} from '../limits.ts'
import { AuthEvent } from '../schemas/auth-event.ts'
import { boundedList, Cursor, wholeNumber } from '../schemas/query.ts'
import { defineEndpoint, MANAGEMENT_ERRORS } from './define-endpoint.ts'
import { loginUrl } from './sessions.ts'

const SAMPLE_RESOURCE = {
  login_url: loginUrl('{base_url}', SAMPLE.tenantId),
  callback_urls: [SAMPLE.callbackUrl],
  events_table: 'social_login_events',
  events_endpoint: '{base_url}/api/social-login/events',
} as const

const SAMPLE_RESOURCE_RESULT = {
  resource: 'social-login',
  status: 'active',
  ...SAMPLE_RESOURCE,
} as const

const SAMPLE_EVENT = {
  id: 1,
  event: 'login_started',
  user_id: null,
  email: null,
  redirect_uri: SAMPLE.callbackUrl,
  return_to: null,
  metadata: {},
  created_at_ms: 1_794_744_060_000,
} as const

/** A fixed label in responses, for compatibility (spec, Social-login resource). */
export const EVENTS_TABLE = 'social_login_events'

/**
 * A list, or a single `callback_url`, which becomes a list of one. The domain validates the URLs
 * (domain/callbacks/url.ts), so that one error response names every invalid one.
 */
export const SocialLoginConfiguration = z
  .strictObject({
    callback_urls: boundedList(
      z.string(),
      CALLBACK_URLS_MAX,
      `Send at most ${CALLBACK_URLS_MAX} callback URLs. A wildcard such as "https://*.example.com/callback" can replace many.`,
    )
      .optional()
      .describe(
        'Every URL in your app that a login may return to: https, http on loopback, or the scheme of an installed app such as `com.example.app:/callback`, which gets one-time codes only.',
      ),
    callback_url: z.string().optional().describe('One URL, instead of the list.'),
    refresh_leeway_seconds: z
      .int()
      .min(0)
      .max(REFRESH_LEEWAY_MAX_SECONDS)
      .optional()
      .describe(
        'How long the previous refresh token returns the same pair, for apps that cannot send an Idempotency-Key. Unchanged if absent; 0 at first.',
      ),
  })
  .check((ctx) => {
    const { callback_urls, callback_url } = ctx.value
    if ((callback_urls === undefined) === (callback_url === undefined)) {
      ctx.issues.push({
        code: 'custom',
        path: ['callback_urls'],
        message: 'Send callback_urls (a list) or callback_url (one address), and not both.',
        input: ctx.value,
      })
    }
  })
  .meta({
    id: 'SocialLoginConfiguration',
    description: '`callback_urls` or `callback_url`, and not both.',
  })

export const SocialLoginResource = z
  .strictObject({
    login_url: z
      .string()
      .describe(
        'The link for your sign-in button. With an adapter of the SDK, link to `/login` of your app instead.',
      ),
    callback_urls: z.array(z.string()),
    events_table: z.literal(EVENTS_TABLE).describe('A fixed label.'),
    events_endpoint: z.string().describe('The endpoint of the event history.'),
    refresh_leeway_seconds: z.int().optional().describe('Present if it is not 0.'),
    warnings: z
      .array(z.string())
      .optional()
      .describe('Callback URLs that are allowed but risky, such as a wildcard over a shared host.'),
  })
  .meta({ id: 'SocialLoginResource', description: 'The configuration of social login.' })

export const ResourceResult = z
  .strictObject({
    resource: z.literal('social-login'),
    status: z.literal('active'),
    ...SocialLoginResource.shape,
  })
  .meta({ id: 'ResourceResult', description: 'A resource and its status.' })

/** There is one kind of resource. */
export const ResourceNames = boundedList(
  z.literal('social-login'),
  1,
  'Send exactly one entry: "social-login".',
).refine((names) => names.length === 1, 'Send exactly one entry: "social-login".')

/** Fits 50 callback URLs of 2,048 characters. */
const PROVISION_MAX_BYTES = 256 * 1_024

export const provisionSocialLogin = defineEndpoint({
  id: 'provisionSocialLogin',
  method: 'POST',
  path: '/api/resources/social-login',
  auth: 'management',
  summary:
    'Provision social login, or replace the whole list of callback URLs. Users and sessions are kept.',
  tag: 'Social login',
  body: SocialLoginConfiguration,
  bodyMaxBytes: PROVISION_MAX_BYTES,
  ok: { status: 200, body: SocialLoginResource },
  errors: [...MANAGEMENT_ERRORS, 'tenantSuspended', ...BODY_ERRORS, 'callbackHostBlocked'],
  example: { body: { callback_urls: [SAMPLE.callbackUrl] }, response: SAMPLE_RESOURCE },
})

export const removeSocialLogin = defineEndpoint({
  id: 'removeSocialLogin',
  method: 'DELETE',
  path: '/api/resources/social-login',
  auth: 'management',
  summary:
    'Permanently delete all users, sessions, events and configuration. Idempotent; also works while paused.',
  tag: 'Social login',
  ok: {
    status: 200,
    body: z.strictObject({
      success: z.literal(true),
      resource: z.literal('social-login'),
      status: z.literal('deleted'),
    }),
  },
  errors: [
    'missingCredentials',
    'invalidCredentials',
    'wrongKeyKind',
    'tenantSuspended',
    'tenantExpired',
    'invalidRequest',
    'rateLimited',
  ],
  example: { response: { success: true, resource: 'social-login', status: 'deleted' } },
})

export const listResources = defineEndpoint({
  id: 'listResources',
  method: 'GET',
  path: '/api/resources',
  auth: 'management',
  summary: 'List the provisioned resources of this tenant.',
  tag: 'Social login',
  ok: { status: 200, body: z.strictObject({ resources: z.array(ResourceResult) }) },
  errors: MANAGEMENT_ERRORS,
  example: { response: { resources: [SAMPLE_RESOURCE_RESULT] } },
})

export const provisionResources = defineEndpoint({
  id: 'provisionResources',
  method: 'POST',
  path: '/api/resources',
  auth: 'management',
  summary: 'Provision several resources in one call. Returns one result for each.',
  tag: 'Social login',
  body: z.strictObject({
    resources: ResourceNames,
    configurations: z.strictObject({ 'social-login': SocialLoginConfiguration }),
  }),
  bodyMaxBytes: PROVISION_MAX_BYTES,
  ok: { status: 200, body: z.strictObject({ resources: z.array(ResourceResult) }) },
  errors: [...MANAGEMENT_ERRORS, 'tenantSuspended', ...BODY_ERRORS, 'callbackHostBlocked'],
  example: {
    body: {
      resources: ['social-login'],
      configurations: { 'social-login': { callback_urls: [SAMPLE.callbackUrl] } },
    },
    response: { resources: [SAMPLE_RESOURCE_RESULT] },
  },
})

export const listEvents = defineEndpoint({
  id: 'listEvents',
  method: 'GET',
  path: '/api/social-login/events',
  auth: 'management',
  summary:
    'List auth events by ascending id, starting after `after`. With `wait`, holds the request until a new event.',
  tag: 'Users and events',
  query: z.strictObject({
    after: Cursor.optional().default(0).describe('The id of an event: only newer ones are listed.'),
    limit: wholeNumber(1, EVENTS_PAGE_MAX).optional().default(EVENTS_PAGE_DEFAULT),
    user_id: Cursor.optional(),
    event: z.enum(AUTH_EVENT_KINDS).optional(),
    wait: wholeNumber(0, LONG_POLL_MAX_SECONDS).optional().default(0),
  }),
  ok: { status: 200, body: z.strictObject({ events: z.array(AuthEvent) }), headers: ['NextPage'] },
  errors: [...MANAGEMENT_ERRORS, 'notProvisioned', 'temporarilyUnavailable'],
  example: {
    query: { after: 0, limit: 50 },
    response: { events: [SAMPLE_EVENT] },
  },
})

/** In documentation order. */
export const SOCIAL_LOGIN_ENDPOINTS = [
  provisionSocialLogin,
  removeSocialLogin,
  listResources,
  provisionResources,
  listEvents,
] as const
