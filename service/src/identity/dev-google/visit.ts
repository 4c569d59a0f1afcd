import { PEOPLE, type Person, subjectOf } from './people.ts'

/** One sign-in as it was chosen on the page: who it is, and what goes wrong on the way. */
export interface Visit {
  readonly sub: string
  readonly email: string
  readonly emailVerified: boolean
  readonly name: string | null
  readonly picture: string | null
  readonly breaks: 'token_exchange' | 'userinfo' | null
}

/** The buttons under "Break something". Each fails for real, at the stage it names. */
export const BREAKAGES = [
  { value: 'token_exchange', label: 'Token exchange fails', means: 'The token endpoint refuses the code.' },
  { value: 'userinfo', label: 'Userinfo fails', means: 'The userinfo endpoint answers 500.' },
  { value: 'email_unverified', label: 'E-mail not verified', means: 'Ada arrives with email_verified: false.' },
  {
    value: 'user_upsert',
    label: 'The person cannot be stored',
    means: 'Somebody arrives with a subject of 300 characters.',
  },
] as const

/** What pressing a button on the page means: a visit, a "no", or null when the form makes no sense. */
export function visitFrom(form: URLSearchParams, issuer: string): Visit | 'cancelled' | null {
  switch (form.get('choice')) {
    case 'cancel':
      return 'cancelled'
    case 'someone_else':
      return stranger(form)
    case 'break':
      return breakage(form.get('breakage'), issuer)
    default: {
      const person = PEOPLE.find(({ id }) => id === form.get('person'))
      return person ? visitOf(person, issuer) : null
    }
  }
}

const visitOf = ({ id, sub, name, email, portrait }: Person, issuer: string): Visit => ({
  sub,
  email,
  emailVerified: true,
  name,
  picture: portrait ? `${issuer}/people/${id}.svg` : null,
  breaks: null,
})

/** The address is not checked: what a provider may say about people is for its clients to survive. */
function stranger(form: URLSearchParams): Visit | null {
  const email = form.get('email')
  if (!email) return null
  return {
    sub: form.get('sub') || subjectOf(email),
    email,
    emailVerified: true,
    name: form.get('name') || null,
    picture: null,
    breaks: null,
  }
}

function breakage(which: string | null, issuer: string): Visit | null {
  const [first] = PEOPLE
  if (!first) return null
  const visit = visitOf(first, issuer)
  switch (which) {
    case 'token_exchange':
    case 'userinfo':
      return { ...visit, breaks: which }
    case 'email_unverified':
      return { ...visit, emailVerified: false }
    case 'user_upsert':
      return { ...visit, sub: '3'.repeat(300), email: 'too-long@example.com', name: 'Too Long To Store' }
    default:
      return null
  }
}
