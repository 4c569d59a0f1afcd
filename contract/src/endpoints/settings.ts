import * as z from 'zod'
import { BODY_ERRORS } from '../api-errors.ts'
import {
  ALLOWED_DOMAINS_MAX,
  ALLOWED_EMAILS_MAX,
  AUDIENCE_MAX_CHARACTERS,
  AUDIENCES_MAX,
  EMAIL_MAX_CHARACTERS,
  REFRESH_LEEWAY_MAX_SECONDS,
} from '../limits.ts'
import { Claims } from '../schemas/claims.ts'
import { boundedList } from '../schemas/query.ts'
import { asciiLowerCase } from '../wire.ts'
import { defineEndpoint, MANAGEMENT_ERRORS } from './define-endpoint.ts'

const DOMAIN = /^(?!.{254})(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/
const EMAIL = /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u

/** An address as it is compared: with ASCII letters in lower case. */
export const FoldedEmail = z
  .string()
  .overwrite(asciiLowerCase)
  .max(EMAIL_MAX_CHARACTERS)
  .regex(EMAIL, 'Send an email address.')

const AUDIENCE = new RegExp(`^[!-~]{1,${AUDIENCE_MAX_CHARACTERS}}$`)

/** Who accepts the ID tokens of a tenant, and what all of them say. */
export const IdTokenSettings = z
  .strictObject({
    audiences: boundedList(
      z.string().regex(AUDIENCE, `Send 1 to ${AUDIENCE_MAX_CHARACTERS} visible ASCII characters.`),
      AUDIENCES_MAX,
      `Send at most ${AUDIENCES_MAX} audiences.`,
    )
      .refine((audiences) => audiences.length > 0, 'Send at least one audience.')
      .describe(
        'The `aud` that an ID token may have: a name that you choose, and that the other system expects. The first is the default.',
      ),
    claims: Claims.optional().describe(
      'In every ID token, such as `{ "role": "authenticated" }`. A claim of the user with the same name wins.',
    ),
  })
  .describe('ID tokens, which other systems can verify.')

export type IdTokenSettings = z.infer<typeof IdTokenSettings>

/** How social login behaves. Replacing the callback list does not change it; removing social login does. */
export const SocialLoginSettings = z
  .strictObject({
    refresh_leeway_seconds: z
      .int()
      .min(0)
      .max(REFRESH_LEEWAY_MAX_SECONDS)
      .describe(
        'How long the previous refresh token returns the same pair, for apps that cannot send an Idempotency-Key. 0 at first.',
      ),
    callback_mode: z
      .enum(['either', 'code'])
      .describe(
        '`code`: every login must start with a `code_challenge`, so that no tokens are in a URL. `either` at first: logins without one get tokens.',
      ),
    remember_consent: z
      .boolean()
      .describe(
        'Whether a user who pressed Continue is not asked again for 30 days, in the same browser, under the conditions of the guide. Needs an owner. false at first: users are asked every time.',
      ),
    allowed_domains: boundedList(
      z
        .string()
        .overwrite(asciiLowerCase)
        .regex(DOMAIN, 'Send a domain such as "example.com", in ASCII.'),
      ALLOWED_DOMAINS_MAX,
      `Send at most ${ALLOWED_DOMAINS_MAX} domains.`,
    ).describe(
      'Google Workspace domains whose accounts may sign in, by the `hd` claim: an address at the domain is not enough. Empty with `allowed_emails`: every Google account.',
    ),
    allowed_emails: boundedList(
      FoldedEmail,
      ALLOWED_EMAILS_MAX,
      `Send at most ${ALLOWED_EMAILS_MAX} addresses.`,
    ).describe(
      'Addresses that may sign in, in any case, besides the accounts of `allowed_domains`.',
    ),
    first_user_claims: Claims.nullable().describe(
      'Claims of a user who signs in while there is no other user, such as `{ "role": "admin" }`. null at first: none.',
    ),
    admission: z
      .enum(['open', 'invited'])
      .describe(
        '`invited`: only existing users, those of `allowed_domains` and `allowed_emails`, and people with an invitation can sign in. `open` at first: the two lists alone decide.',
      ),
    id_tokens: IdTokenSettings.nullable().describe(
      'Lets your app get ID tokens, which databases and other services verify by themselves. null at first: none are issued.',
    ),
  })
  .meta({ id: 'SocialLoginSettings', description: 'The settings of social login.' })

/** Fits 500 addresses of 254 characters. */
const SETTINGS_MAX_BYTES = 256 * 1_024

export const readSettings = defineEndpoint({
  id: 'readSettings',
  method: 'GET',
  path: '/api/social-login/settings',
  auth: 'management',
  summary: 'Read the settings of social login.',
  tag: 'Social login',
  ok: { status: 200, body: SocialLoginSettings },
  errors: [...MANAGEMENT_ERRORS, 'notProvisioned'],
  example: {
    response: {
      refresh_leeway_seconds: 0,
      callback_mode: 'either',
      remember_consent: false,
      allowed_domains: [],
      allowed_emails: [],
      first_user_claims: null,
      admission: 'open',
      id_tokens: null,
    },
  },
})

export const changeSettings = defineEndpoint({
  id: 'changeSettings',
  method: 'PATCH',
  path: '/api/social-login/settings',
  auth: 'management',
  summary: 'Change some settings of social login. Fields that are absent keep their value.',
  tag: 'Social login',
  body: SocialLoginSettings.partial()
    .refine((changes) => Object.keys(changes).length > 0, 'Send at least one setting.')
    .meta({ id: 'SocialLoginSettingsChange', description: 'Any of the settings.' }),
  ok: { status: 200, body: SocialLoginSettings },
  errors: [
    ...MANAGEMENT_ERRORS,
    'tenantSuspended',
    ...BODY_ERRORS,
    'notProvisioned',
    'ownerRequired',
  ],
  bodyMaxBytes: SETTINGS_MAX_BYTES,
  example: {
    body: { allowed_domains: ['example.com'] },
    response: {
      refresh_leeway_seconds: 0,
      callback_mode: 'either',
      remember_consent: false,
      allowed_domains: ['example.com'],
      allowed_emails: [],
      first_user_claims: null,
      admission: 'open',
      id_tokens: null,
    },
  },
})

/** In documentation order. */
export const SETTINGS_ENDPOINTS = [readSettings, changeSettings] as const
