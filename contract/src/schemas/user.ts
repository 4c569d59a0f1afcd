import * as z from 'zod'
import { USER_METADATA_MAX_BYTES, USER_METADATA_MAX_DEPTH } from '../limits.ts'
import { Claims } from './claims.ts'
import { ProviderName } from './provider.ts'

/** A user of one tenant's app (spec, User). */
export const User = z
  .strictObject({
    id: z.int().describe('Never reused, not even after a deletion.'),
    email: z.string(),
    name: z.string().nullable().describe('As the provider reports it; null if it reports none.'),
    picture: z.string().nullable().describe('A URL at the provider.'),
    first_seen: z.iso.datetime(),
    last_seen: z.iso.datetime().describe('Their last login or refresh.'),
  })
  .meta({ id: 'User', description: 'A user of this tenant’s app.' })

export type User = z.infer<typeof User>

/** The owner's own fields of a user. Any JSON object. */
export const UserMetadata = z
  .record(z.string(), z.unknown())
  .refine(
    (metadata) => depthOf(metadata) <= USER_METADATA_MAX_DEPTH,
    `Nest at most ${USER_METADATA_MAX_DEPTH} levels.`,
  )
  .refine(
    (metadata) =>
      new TextEncoder().encode(JSON.stringify(metadata)).length <= USER_METADATA_MAX_BYTES,
    `Send at most ${USER_METADATA_MAX_BYTES} bytes of JSON.`,
  )
  .describe(
    `Your own fields of this user: at most ${USER_METADATA_MAX_BYTES} bytes of JSON, ${USER_METADATA_MAX_DEPTH} levels deep. Neither tokens nor verify contain them.`,
  )

const depthOf = (value: unknown): number =>
  typeof value !== 'object' || value === null
    ? 0
    : 1 + Math.max(0, ...Object.values(value).map(depthOf))

export const UserDetails = User.extend({
  metadata: UserMetadata.optional(),
  claims: Claims.optional(),
  blocked: z.boolean().optional().describe('A blocked user cannot sign in.'),
  identities: z
    .array(
      z.strictObject({
        provider: ProviderName.nullable().describe(
          'null: an `oidc-` provider that you have removed.',
        ),
        issuer: z.string(),
        subject: z.string(),
        email: z.string().describe('At the last login with this identity.'),
        pinned: z
          .boolean()
          .describe('The user is shown with this profile, whichever identity signs in.'),
      }),
    )
    .optional()
    .describe('What identifies the user at providers. Most users have one.'),
}).meta({ id: 'UserDetails', description: 'A user, with the fields that `include` names.' })

export type UserDetails = z.infer<typeof UserDetails>

/** Verify returns these four fields and no others (spec, User). */
export const VerifiedUser = User.pick({ id: true, email: true, name: true, picture: true }).meta({
  id: 'VerifiedUser',
  description: 'The user of the access token.',
})

export type VerifiedUser = z.infer<typeof VerifiedUser>
