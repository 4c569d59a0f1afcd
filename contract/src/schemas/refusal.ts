import * as z from 'zod'
import { API_ERRORS, type ApiErrorCode } from '../api-errors.ts'
import { LOGIN_FAILURES, type LoginFailureCode } from './login-failure.ts'

/** At the login link, after the provider, or when an app exchanges a one-time code. */
export const REFUSAL_STEPS = ['start', 'callback', 'exchange'] as const

export type RefusalStep = (typeof REFUSAL_STEPS)[number]

/** The API errors that are recorded as refusals. All of them are errors of an existing tenant. */
export const REFUSED_ERRORS = [
  'invalidRedirectUri',
  'redirectUriRequired',
  'invalidReturnTo',
  'codeChallengeRequired',
  'callbackHostBlocked',
  'providerNotEnabled',
  'invalidCode',
  'rateLimited',
  'tenantPaused',
  'tenantSuspended',
  'notProvisioned',
  'loginOver',
  'loginOtherBrowser',
] as const satisfies readonly ApiErrorCode[]

export type RefusedError = (typeof REFUSED_ERRORS)[number]

export type RefusalCode = RefusedError | LoginFailureCode

/** What the code means, without a value of the request. */
export const refusalMeaning = (code: RefusalCode): string =>
  code in LOGIN_FAILURES ? LOGIN_FAILURES[code as LoginFailureCode] : API_ERRORS[code as RefusedError].meaning

export const Refusal = z
  .strictObject({
    step: z.enum(REFUSAL_STEPS),
    code: z.string().describe('An error code of the login link or callback, or an `error_code` of `login_failed`.'),
    count: z.int().describe('How often since `first_at_ms`. Counting starts again after 24 hours without one.'),
    first_at_ms: z.int(),
    last_at_ms: z.int(),
    sent: z
      .string()
      .optional()
      .describe(
        'The newest `redirect_uri` that was refused, without its query. Anyone can open a login link: it may be a URL of a stranger.',
      ),
    closest: z.string().optional().describe('The registered callback URL that is most similar.'),
    differs: z.string().optional().describe('The part of the URL that differs.'),
    meaning: z.string(),
    fix: z.string().describe('What to do about it.'),
  })
  .meta({ id: 'Refusal', description: 'A kind of refused sign-in, and how often it happened.' })
