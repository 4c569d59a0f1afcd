import * as z from 'zod'
import { CLAIM_LIST_MAX, CLAIMS_MAX_BYTES } from '../limits.ts'

const NAME = /^[a-z][a-z0-9_]{0,39}$/

/**
 * Names that mean something to a system that reads a token, so no owner may set them: RFC 7519 section 4.1, OpenID Connect
 * Core sections 2, 3.3.2.11 and 5.1, RFC 7800, RFC 8417, RFC 8693, RFC 9068, and the claims of our own access tokens. Not
 * `roles`, `groups` and `entitlements`: RFC 9068 section 2.2.3.1 registers them for this use.
 */
export const RESERVED_CLAIMS: ReadonlySet<string> = new Set(
  [
    'iss sub aud exp nbf iat jti',
    'auth_time nonce acr amr azp at_hash c_hash s_hash sub_jwk sid',
    'name given_name family_name middle_name nickname preferred_username profile picture website email email_verified',
    'gender birthdate zoneinfo locale phone_number phone_number_verified address updated_at',
    'cnf events toe txn act may_act scope client_id typ',
    'tenant_id tenant_ends id gen rid user_id',
    'constructor prototype',
  ].flatMap((names) => names.split(' ')),
)

/** PostgreSQL's jsonb rejects NUL and lone surrogates: such a token would fail in every policy that reads it. */
const ClaimText = z
  .string()
  .refine(
    (text) => text.isWellFormed() && !/\p{Cc}/u.test(text),
    'Send text without control characters.',
  )

const ClaimValue = z.union(
  [z.string().pipe(ClaimText), z.number(), z.boolean(), z.array(ClaimText).max(CLAIM_LIST_MAX)],
  `Send a string, a number, true, false, or a list of at most ${CLAIM_LIST_MAX} strings, without control characters.`,
)

/** What an owner says about a user, such as a role. */
export const Claims = z
  .record(z.string(), ClaimValue)
  .superRefine((claims, ctx) => {
    for (const name of Object.keys(claims)) {
      const problem = problemOf(name)
      if (problem !== null) {
        ctx.addIssue({ code: 'custom', path: [name.slice(0, 40)], message: problem })
      }
    }
  })
  .refine(
    (claims) => new TextEncoder().encode(JSON.stringify(claims)).length <= CLAIMS_MAX_BYTES,
    `Send at most ${CLAIMS_MAX_BYTES} bytes of JSON.`,
  )
  .describe(
    `Names are lower-case letters, digits and \`_\`, at most 40 characters, and none that is reserved, such as \`sub\` or \`email\`. Values are strings, numbers, booleans, or lists of at most ${CLAIM_LIST_MAX} strings. At most ${CLAIMS_MAX_BYTES} bytes of JSON.`,
  )

export type Claims = z.infer<typeof Claims>

function problemOf(name: string): string | null {
  if (!NAME.test(name)) {
    return 'Send names of lower-case letters, digits and _, at most 40 characters, a letter first.'
  }
  return RESERVED_CLAIMS.has(name) ? 'This name is reserved. Choose another.' : null
}
