import * as z from 'zod'
import { type ApiErrorCode, BODY_ERRORS } from '../api-errors.ts'
import { SAMPLE, SAMPLE_USER } from '../examples.ts'
import { ACCESS_TOKEN_SECONDS, TEST_ACCESS_TOKEN_MIN_SECONDS } from '../limits.ts'
import { VerifiedUser } from '../schemas/user.ts'
import { defineEndpoint } from './define-endpoint.ts'
import { TokenPair } from './sessions.ts'

const ERRORS = [
  'missingCredentials',
  'invalidCredentials',
  'wrongKeyKind',
  'tenantExpired',
  'invalidRequest',
  'rateLimited',
] as const satisfies readonly ApiErrorCode[]

export const createTestSession = defineEndpoint({
  id: 'createTestSession',
  method: 'POST',
  path: '/api/social-login/test-sessions',
  auth: 'management',
  development: true,
  summary: 'Sign a made-up user in, without a browser. The session is like any other.',
  tag: 'Tests',
  body: z.strictObject({
    email: z.string().describe('With the email address of a sample user, it is that user.'),
    name: z.string().optional(),
    picture: z.string().optional(),
    subject: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .describe(
        'The provider’s id for the user. Default: the one that the account chooser gives to this email address.',
      ),
    access_token_seconds: z
      .int()
      .min(TEST_ACCESS_TOKEN_MIN_SECONDS)
      .max(ACCESS_TOKEN_SECONDS)
      .optional()
      .describe(
        'How long this access token is valid. A refresh gives one with the lifetime of this service.',
      ),
  }),
  ok: {
    status: 201,
    body: z.strictObject({ ...TokenPair.shape, user: VerifiedUser }),
    headers: ['RateLimit', 'RateLimitPolicy'],
  },
  errors: [
    ...ERRORS,
    'tenantSuspended',
    ...BODY_ERRORS,
    'tenantPaused',
    'notProvisioned',
    'userLimit',
    'userBlocked',
  ],
  example: {
    body: { email: SAMPLE_USER.email, access_token_seconds: 60 },
    response: {
      access_token: SAMPLE.accessToken,
      refresh_token: SAMPLE.refreshToken,
      user: SAMPLE_USER,
    },
  },
})

export const deleteUsers = defineEndpoint({
  id: 'deleteUsers',
  method: 'DELETE',
  path: '/api/social-login/users',
  auth: 'management',
  development: true,
  summary:
    'Delete all users with their sessions and the event history. Keeps the configuration and what was counted.',
  tag: 'Tests',
  ok: { status: 200, body: z.strictObject({ success: z.literal(true) }) },
  errors: [...ERRORS, 'tenantSuspended', 'tenantPaused', 'notProvisioned'],
  example: { response: { success: true } },
})

export const setTestStatus = defineEndpoint({
  id: 'setTestStatus',
  method: 'POST',
  path: '/api/test-status',
  auth: 'management',
  development: true,
  summary:
    'Pause or end this guest tenant now, as its limits or its 72 hours would. Only a claim lifts a pause.',
  tag: 'Tests',
  body: z.strictObject({ status: z.enum(['paused', 'expired']) }),
  ok: {
    status: 200,
    body: z.strictObject({ tenant_id: z.string(), status: z.enum(['paused', 'expired']) }),
  },
  errors: [...ERRORS, 'tenantSuspended', ...BODY_ERRORS, 'alreadyClaimed'],
  example: {
    body: { status: 'paused' },
    response: { tenant_id: SAMPLE.tenantId, status: 'paused' },
  },
})

/** In documentation order. Mounted only while the development Google replaces Google. */
export const TEST_ENDPOINTS = [createTestSession, deleteUsers, setTestStatus] as const
