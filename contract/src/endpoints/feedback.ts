import * as z from 'zod'
import { DISCOUNT_REPORT_MIN_CHARACTERS, FEEDBACK_MAX_CHARACTERS } from '../limits.ts'
import { defineEndpoint } from './define-endpoint.ts'

/** Not empty after trimming, at most 20,000 characters (spec, Limits). No NUL, because PostgreSQL cannot store one. */
export const FeedbackText = z
  .string()
  .trim()
  .min(1, 'Write something.')
  .max(FEEDBACK_MAX_CHARACTERS, `Write at most ${FEEDBACK_MAX_CHARACTERS} characters.`)
  .refine((text) => !text.includes('\0'), 'Remove the NUL character (U+0000).')

const FEEDBACK_ERRORS = [
  'missingCredentials',
  'invalidCredentials',
  'wrongKeyKind',
  'tenantExpired',
  'invalidRequest',
  'unsupportedMediaType',
  'bodyTooLarge',
  'rateLimited',
  'outcomeUnknown',
] as const

export const leaveFeedback = defineEndpoint({
  id: 'leaveFeedback',
  method: 'POST',
  path: '/api/feedback/service',
  auth: 'management',
  summary: 'Send feedback to the operator. Also works while the tenant is paused.',
  tag: 'Feedback',
  body: z.strictObject({ feedback: FeedbackText }),
  bodyMaxBytes: 256 * 1_024,
  ok: {
    status: 200,
    body: z.strictObject({ success: z.literal(true) }),
    headers: ['RateLimit', 'RateLimitPolicy'],
  },
  errors: FEEDBACK_ERRORS,
  example: {
    body: {
      feedback: 'The error for a wrong redirect_uri named the part that differed. Thank you.',
    },
    response: { success: true },
  },
})

export const describeDiscountReport = defineEndpoint({
  id: 'describeDiscountReport',
  method: 'GET',
  path: '/api/feedback',
  auth: 'none',
  summary: 'Read what a discount report is and what it must contain.',
  tag: 'Feedback',
  ok: {
    status: 200,
    body: z.strictObject({
      description: z.string(),
      endpoint: z.string(),
      requires: z.strictObject({
        user_authorized: z.literal(true),
        minimum_characters: z.int(),
        maximum_characters: z.int(),
        one_report_every_days: z.int(),
        claimed_tenant: z.literal(true),
      }),
    }),
  },
  errors: ['invalidRequest'],
  example: {
    response: {
      description:
        'A report on how this service worked for you, sent only after the user agreed to send it.',
      endpoint: 'POST {base_url}/api/feedback',
      requires: {
        user_authorized: true,
        minimum_characters: DISCOUNT_REPORT_MIN_CHARACTERS,
        maximum_characters: FEEDBACK_MAX_CHARACTERS,
        one_report_every_days: 30,
        claimed_tenant: true,
      },
    },
  },
})

const exampleReport =
  'We added sign-in to a notes app. Provisioning took one call and worked the first time. One thing cost us time: the error for a wrong redirect_uri named the part that differed, but we still looked in the wrong place for a while, because our proxy had added a trailing slash.'

export const reportForDiscount = defineEndpoint({
  id: 'reportForDiscount',
  method: 'POST',
  path: '/api/feedback',
  auth: 'management',
  summary:
    'Send a report about the service in exchange for a discount, after the user agreed to send it.',
  tag: 'Feedback',
  body: z.strictObject({
    feedback: FeedbackText,
    user_authorized: z.literal(
      true,
      'Send true, and only when the user agreed to send this report.',
    ),
  }),
  bodyMaxBytes: 256 * 1_024,
  ok: {
    status: 200,
    body: z.strictObject({
      success: z.literal(true),
      accepted_for_discount: z.boolean(),
      feedback_token: z.string().optional(),
      rejection_reason: z.string().optional(),
    }),
    headers: ['RateLimit', 'RateLimitPolicy'],
  },
  errors: FEEDBACK_ERRORS,
  example: {
    body: { feedback: exampleReport, user_authorized: true },
    response: { success: true, accepted_for_discount: true, feedback_token: 'EXAMPLE' },
  },
})

/** In documentation order. */
export const FEEDBACK_ENDPOINTS = [
  leaveFeedback,
  describeDiscountReport,
  reportForDiscount,
] as const
