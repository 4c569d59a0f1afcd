import type { TestUser } from '../../domain/login/identity-provider.ts'
import { type ReadProfile, readProfile } from '../../domain/login/profile.ts'
import { signInByEmail } from './simulated-sign-in.ts'

/**
 * The profile that a sign-in with this email address at the development Google gives, so that a test session and a login
 * have the same user.
 */
export const testProfile =
  (issuer: string) =>
  ({ email, name, picture, subject }: TestUser): ReadProfile => {
    const known = signInByEmail(email, { url: issuer, subject: (sub) => sub })
    return readProfile(issuer, {
      sub: subject ?? known.sub,
      email: known.email,
      email_verified: known.emailVerified,
      name: name ?? known.name,
      picture: picture ?? known.picture,
    })
  }
