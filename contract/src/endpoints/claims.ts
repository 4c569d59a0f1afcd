import * as z from 'zod'
import { SAMPLE } from '../examples.ts'
import { LONG_POLL_MAX_SECONDS } from '../limits.ts'
import { wholeNumber } from '../schemas/query.ts'
import { defineEndpoint } from './define-endpoint.ts'

const ClaimLink = z
  .strictObject({
    tenant_id: z.string(),
    approval_url: z
      .string()
      .describe('For the future owner to open. Single use; a newer link invalidates it.'),
    confirmation_code: z
      .string()
      .describe('Also shown on the page behind the link, where the user compares the two.'),
    expires_at: z.iso.datetime().describe('When the link expires.'),
    tenant_expires_at: z.iso.datetime().nullable(),
    wait: z.strictObject({
      url: z.string(),
      token: z.string(),
      auth_header: z.string(),
      expires_at: z.iso.datetime(),
      interval_seconds: z.int(),
    }),
  })
  .meta({
    id: 'ClaimLink',
    description: 'A link with which a user becomes the owner of a guest tenant.',
  })

export const requestClaim = defineEndpoint({
  id: 'requestClaim',
  method: 'POST',
  path: '/api/claim/url',
  auth: 'management',
  summary:
    'Create a link with which a user becomes the owner of this tenant, and a token to wait for their decision.',
  tag: 'Claims',
  body: z.strictObject({}).optional(),
  ok: { status: 200, body: ClaimLink, headers: ['RateLimit', 'RateLimitPolicy'] },
  errors: [
    'missingCredentials',
    'invalidCredentials',
    'wrongKeyKind',
    'tenantSuspended',
    'tenantExpired',
    'alreadyClaimed',
    'invalidRequest',
    'unsupportedMediaType',
    'bodyTooLarge',
    'rateLimited',
    'outcomeUnknown',
  ],
  example: {
    body: {},
    response: {
      tenant_id: SAMPLE.tenantId,
      approval_url: '{base_url}/c/EXAMPLE',
      confirmation_code: 'K7QD',
      expires_at: '2026-11-15T12:30:00.000Z',
      tenant_expires_at: '2026-11-18T12:00:00.000Z',
      wait: {
        url: '{base_url}/api/wait',
        token: SAMPLE.waitToken,
        auth_header: `Bearer ${SAMPLE.waitToken}`,
        expires_at: '2026-11-15T12:35:00.000Z',
        interval_seconds: 1,
      },
    },
  },
})

const CLAIM_DECISIONS = ['pending', 'approved', 'denied', 'expired'] as const

export const waitForClaim = defineEndpoint({
  id: 'waitForClaim',
  method: 'GET',
  path: '/api/wait',
  auth: 'wait',
  summary:
    'Wait for the decision about a claim, at most 25 seconds. Call again while the status is `pending`.',
  tag: 'Claims',
  query: z.strictObject({
    timeout: wholeNumber(0, LONG_POLL_MAX_SECONDS).optional().default(LONG_POLL_MAX_SECONDS),
  }),
  ok: {
    status: 200,
    body: z.strictObject({
      status: z.enum(CLAIM_DECISIONS),
      tenant_id: z.string(),
      next: z.string().describe('What to do next, in a sentence.'),
    }),
  },
  errors: [
    'missingCredentials',
    'invalidCredentials',
    'invalidRequest',
    'rateLimited',
    'temporarilyUnavailable',
  ],
  example: {
    query: { timeout: 0 },
    response: {
      status: 'pending',
      tenant_id: SAMPLE.tenantId,
      next: 'No decision yet. Call again; the user opens the approval_url and compares the confirmation code.',
    },
  },
})

/** In documentation order. */
export const CLAIM_ENDPOINTS = [requestClaim, waitForClaim] as const
