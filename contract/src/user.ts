import { z } from 'zod'

/** A person who signed in to one tenant's app (spec, User). */
export const User = z
  .strictObject({
    id: z.int().describe('Never given again, not even after a deletion.'),
    email: z.string(),
    name: z.string().nullable().describe('As Google tells it; null when it does not.'),
    picture: z.string().nullable().describe('An address at Google.'),
    first_seen: z.iso.datetime(),
    last_seen: z.iso.datetime().describe('Their last login or refresh.'),
  })
  .meta({ id: 'User', description: 'A person who signed in to this tenant.' })

export type User = z.infer<typeof User>

/** Verify returns these four fields and no others (spec, User). */
export const VerifiedUser = User.pick({ id: true, email: true, name: true, picture: true }).meta({
  id: 'VerifiedUser',
  description: 'Whose access token it is.',
})

export type VerifiedUser = z.infer<typeof VerifiedUser>
