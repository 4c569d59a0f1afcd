import type { PreselectedUser } from '../../domain/login/attempt.ts'
import { SAMPLE_USERS, type SampleUser, subjectOf } from './sample-users.ts'
import type { Fault, SignInPage } from './sign-in-page.ts'

/** The user and the fault that were chosen on the page. */
export interface SimulatedSignIn {
  readonly sub: string
  readonly email: string
  readonly emailVerified: boolean
  readonly name: string | null
  /** The Workspace of a Google account. */
  readonly workspace: string | null
  /** The directory of a Microsoft account. null: the default one. */
  readonly directory: string | null
  readonly picture: string | null
  readonly failsAt: 'token_exchange' | 'userinfo' | null
}

/** What a user looks like at this provider. */
type Subjects = Pick<SignInPage, 'url' | 'subject'>

/** The choice in the form; null when the form is invalid. */
export function readChoice(form: URLSearchParams, page: SignInPage): SimulatedSignIn | 'cancelled' | null {
  switch (form.get('choice')) {
    case 'cancel':
      return 'cancelled'
    case 'someone_else':
      return otherUser(form, page)
    case 'break':
      return faultySignIn(form.get('breakage'), page)
    default: {
      const user = SAMPLE_USERS.find(({ id }) => id === form.get('person'))
      return user ? signInAs(user, page) : null
    }
  }
}

const signInAs = ({ id, sub, name, email, workspace, portrait }: SampleUser, page: Subjects): SimulatedSignIn => ({
  sub: page.subject(sub),
  email,
  emailVerified: true,
  name,
  workspace,
  directory: null,
  picture: portrait ? `${page.url}/people/${id}.svg` : null,
  failsAt: null,
})

/** The sign-in that a test chose instead of pressing a button. null: the provider cannot fail this way. */
export function preselectedSignIn(
  { email, outcome }: PreselectedUser,
  page: SignInPage,
): SimulatedSignIn | 'cancelled' | null {
  if (outcome === 'deny') return 'cancelled'
  const signIn = signInByEmail(email, page)
  if (outcome === null) return signIn
  return page.faults.some(({ value }) => value === outcome) ? withFault(signIn, outcome) : null
}

/** A sample user, or the user that "Someone else" with this email address would be. */
export function signInByEmail(email: string, page: Subjects): SimulatedSignIn {
  const known = SAMPLE_USERS.find((user) => user.email === email.toLowerCase())
  if (known) return signInAs(known, page)
  return {
    sub: page.subject(subjectOf(email)),
    email,
    emailVerified: true,
    name: null,
    workspace: null,
    directory: null,
    picture: null,
    failsAt: null,
  }
}

/** The email address is not validated: clients of a provider must handle any value. */
function otherUser(form: URLSearchParams, page: Subjects): SimulatedSignIn | null {
  const email = form.get('email')
  if (!email) return null
  const name = form.get('name') || null
  const sub = form.get('sub') || page.subject(subjectOf(email))
  const workspace = form.get('hd') || null
  const directory = form.get('tid') || null
  return { sub, email, emailVerified: true, name, workspace, directory, picture: null, failsAt: null }
}

function faultySignIn(which: string | null, page: SignInPage): SimulatedSignIn | null {
  const [first] = SAMPLE_USERS
  const fault = page.faults.find(({ value }) => value === which)?.value
  if (!first || !fault) return null
  const signIn = signInAs(first, page)
  if (fault !== 'user_upsert') return withFault(signIn, fault)
  return withFault({ ...signIn, email: 'too-long@example.com', name: 'Too Long To Store' }, fault)
}

function withFault(signIn: SimulatedSignIn, fault: Fault['value']): SimulatedSignIn {
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
