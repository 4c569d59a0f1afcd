import * as z from 'zod'
import { LOGIN_FAILURES, type LoginFailure, REFUSAL_STEPS } from '../login-failures.ts'

export type LoginFailureCode = LoginFailure

/**
 * The schema of an `error_code`: a closed list in types and in the OpenAPI document. It parses any text, so that an
 * instance or a client of an earlier version can read the codes of a later one.
 */
export const LoginFailureCode = z.string().meta({
  enum: Object.keys(LOGIN_FAILURES),
  description: 'Why a login failed; see /docs/events.',
}) as unknown as z.ZodType<LoginFailureCode, LoginFailureCode>

export const Refusal = z
  .strictObject({
    step: z.enum(REFUSAL_STEPS),
    code: z
      .string()
      .describe(
        'An error code of the login link or callback, or an `error_code` of `login_failed`.',
      ),
    count: z
      .int()
      .describe('How often since `first_at_ms`. Counting starts again after 24 hours without one.'),
    first_at_ms: z.int(),
    last_at_ms: z.int(),
    sent: z
      .string()
      .optional()
      .describe(
        'The newest `redirect_uri` that was refused, without its query. Anyone can open a login link: it may be a URL of a stranger.',
      ),
    closest: z.string().optional().describe('The registered callback URL that is most similar.'),
    differs: z
      .string()
      .optional()
      .describe(
        'The part of the URL that differs, or the parameter of the login link that `invalidRequest` is about.',
      ),
    meaning: z.string(),
    fix: z.string().describe('What to do about it.'),
  })
  .meta({ id: 'Refusal', description: 'A kind of refused sign-in, and how often it happened.' })
