import type { SimulatedSignIn } from '../simulated-sign-in.ts'

/** `GET /user`. The public email address is any text, so a client must not use it. */
export const profileOf = ({ sub, email, name, picture }: SimulatedSignIn) => ({
  id: Number(sub),
  login: email.split('@')[0],
  name,
  email: 'public-address-that-is-not-verified@example.com',
  avatar_url: picture,
})

/** `GET /user/emails`. */
export const emailsOf = ({ sub, email, emailVerified }: SimulatedSignIn) => [
  { email: `${sub}@users.noreply.github.example`, primary: false, verified: true, visibility: null },
  { email, primary: true, verified: emailVerified, visibility: 'private' },
]
