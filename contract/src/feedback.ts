import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { FEEDBACK_MAX_CHARACTERS } from './limits.ts'

/** Nonempty once trimmed, at most 20,000 characters (spec, Limits). */
export const FeedbackText = z
  .string()
  .trim()
  .min(1, 'Write something.')
  .max(FEEDBACK_MAX_CHARACTERS, `Write at most ${FEEDBACK_MAX_CHARACTERS} characters.`)

const REFUSALS = [
  'missingCredentials',
  'invalidCredentials',
  'wrongKeyKind',
  'tenantExpired',
  'invalidRequest',
  'unsupportedMediaType',
  'bodyTooLarge',
] as const

export const leaveFeedback = defineEndpoint({
  id: 'leaveFeedback',
  method: 'POST',
  path: '/api/feedback/service',
  auth: 'management',
  summary: 'Tell the operator what works and what does not. Works while the tenant is paused.',
  body: z.strictObject({ feedback: FeedbackText }),
  bodyMaxBytes: 256 * 1_024,
  ok: { status: 200, body: z.strictObject({ success: z.literal(true) }) },
  refuses: REFUSALS,
})

/** Long enough to say what was tried and what happened. */
export const DISCOUNT_REPORT_MIN_CHARACTERS = 200

export const describeDiscountReport = defineEndpoint({
  id: 'describeDiscountReport',
  method: 'GET',
  path: '/api/feedback',
  auth: 'none',
  summary: 'What a discount report is, and what it must contain.',
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
  refuses: ['invalidRequest'],
})

export const reportForDiscount = defineEndpoint({
  id: 'reportForDiscount',
  method: 'POST',
  path: '/api/feedback',
  auth: 'management',
  summary: 'A report on the service that the user has agreed to send, in exchange for a discount.',
  body: z.strictObject({
    feedback: FeedbackText,
    user_authorized: z.literal(true, 'Send true, and only when the user agreed to send this report.'),
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
  },
  refuses: REFUSALS,
})
