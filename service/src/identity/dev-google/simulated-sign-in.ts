import type { PreselectedUser } from '../../domain/login/preselected-user.ts'
import { SAMPLE_USERS, type SampleUser, subjectOf } from './sample-users.ts'

/** The user and the fault that were chosen on the page. */
export interface SimulatedSignIn {
  readonly sub: string
  readonly email: string
  readonly emailVerified: boolean
  readonly name: string | null
  /** The `hd` claim. */
  readonly workspace: string | null
  readonly picture: string | null
  readonly failsAt: 'token_exchange' | 'userinfo' | null
}

/** The buttons under "Break something". */
export const FAULTS = [
  { value: 'token_exchange', label: 'Token exchange fails', effect: 'The token endpoint rejects the code.' },
  { value: 'userinfo', label: 'Userinfo fails', effect: 'The userinfo endpoint responds with 500.' },
  { value: 'email_unverified', label: 'Email not verified', effect: 'Ada signs in with email_verified: false.' },
  {
    value: 'user_upsert',
    label: 'User can’t be stored',
    effect: 'A user signs in with a subject of 300 characters.',
  },
] as const

/** The choice in the form; null when the form is invalid. */
export function readChoice(form: URLSearchParams, issuer: string): SimulatedSignIn | 'cancelled' | null {
  switch (form.get('choice')) {
    case 'cancel':
      return 'cancelled'
    case 'someone_else':
      return otherUser(form)
    case 'break':
      return faultySignIn(form.get('breakage'), issuer)
    default: {
      const user = SAMPLE_USERS.find(({ id }) => id === form.get('person'))
      return user ? signInAs(user, issuer) : null
    }
  }
}

const signInAs = ({ id, sub, name, email, workspace, portrait }: SampleUser, issuer: string): SimulatedSignIn => ({
  sub,
  email,
  emailVerified: true,
  name,
  workspace,
  picture: portrait ? `${issuer}/people/${id}.svg` : null,
  failsAt: null,
})

/** The sign-in that a test chose instead of pressing a button. */
export function preselectedSignIn({ email, outcome }: PreselectedUser, issuer: string): SimulatedSignIn | 'cancelled' {
  if (outcome === 'deny') return 'cancelled'
  const signIn = signInByEmail(email, issuer)
  return outcome === null ? signIn : withFault(signIn, outcome)
}

/** A sample user, or the user that "Someone else" with this email address would be. */
export function signInByEmail(email: string, issuer: string): SimulatedSignIn {
  const known = SAMPLE_USERS.find((user) => user.email === email.toLowerCase())
  if (known) return signInAs(known, issuer)
  return {
    sub: subjectOf(email),
    email,
    emailVerified: true,
    name: null,
    workspace: null,
    picture: null,
    failsAt: null,
  }
}

/** The email address is not validated: clients of a provider must handle any value. */
function otherUser(form: URLSearchParams): SimulatedSignIn | null {
  const email = form.get('email')
  if (!email) return null
  const name = form.get('name') || null
  const sub = form.get('sub') || subjectOf(email)
  const workspace = form.get('hd') || null
  return { sub, email, emailVerified: true, name, workspace, picture: null, failsAt: null }
}

function faultySignIn(which: string | null, issuer: string): SimulatedSignIn | null {
  const [first] = SAMPLE_USERS
  const fault = FAULTS.find(({ value }) => value === which)?.value
  if (!first || !fault) return null
  const signIn = signInAs(first, issuer)
  if (fault !== 'user_upsert') return withFault(signIn, fault)
  return withFault({ ...signIn, email: 'too-long@example.com', name: 'Too Long To Store' }, fault)
}

function withFault(signIn: SimulatedSignIn, fault: (typeof FAULTS)[number]['value']): SimulatedSignIn {
  switch (fault) {
    case 'token_exchange':
    case 'userinfo':
      return { ...signIn, failsAt: fault }
    case 'email_unverified':
      return { ...signIn, emailVerified: false }
    case 'user_upsert':
      return { ...signIn, sub: '3'.repeat(300) }
  }
}
