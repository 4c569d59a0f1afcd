import { z } from 'zod'

/** A user of one tenant's app (spec, User). */
export const User = z
  .strictObject({
    id: z.int().describe('Never reused, not even after a deletion.'),
    email: z.string(),
    name: z.string().nullable().describe('As Google reports it; null if Google reports none.'),
    picture: z.string().nullable().describe('A URL at Google.'),
    first_seen: z.iso.datetime(),
    last_seen: z.iso.datetime().describe('Their last login or refresh.'),
  })
  .meta({ id: 'User', description: 'A user of this tenant’s app.' })

export type User = z.infer<typeof User>

/** Verify returns these four fields and no others (spec, User). */
export const VerifiedUser = User.pick({ id: true, email: true, name: true, picture: true }).meta({
  id: 'VerifiedUser',
  description: 'The user of the access token.',
})

export type VerifiedUser = z.infer<typeof VerifiedUser>
