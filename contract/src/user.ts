import { z } from 'zod'

/** A person who signed in to one tenant's app (spec, User). */
export const User = z
  .strictObject({
    id: z.int(),
    email: z.string(),
    name: z.string().nullable(),
    picture: z.string().nullable(),
    first_seen: z.iso.datetime(),
    last_seen: z.iso.datetime(),
  })
  .meta({ id: 'User' })

export type User = z.infer<typeof User>

/** Verify returns these four fields and no others (spec, User). */
export const VerifiedUser = User.pick({ id: true, email: true, name: true, picture: true }).meta({ id: 'VerifiedUser' })

export type VerifiedUser = z.infer<typeof VerifiedUser>
