/**
 * The cookie with which a test of an app says who signs in, so that the account chooser and the consent page act without
 * a press of a button. Read only while the development Google replaces Google; anyone can sign in as anyone there anyway.
 */
const PRESELECTED_USER_COOKIE = 'gatehouse_dev_person'

/** How a sign-in ends that does not succeed: with Cancel, or with the fault of a button under "Break something". */
const OUTCOMES = ['deny', 'token_exchange', 'userinfo', 'email_unverified', 'user_upsert'] as const

export interface PreselectedUser {
  readonly email: string
  /** null: the sign-in succeeds. */
  readonly outcome: (typeof OUTCOMES)[number] | null
}

/** `<email>`, or `<email>|<outcome>`. null: the cookie was not sent. */
export function readPreselectedUser(
  cookieHeader: string | undefined,
): PreselectedUser | 'invalid' | null {
  const value = cookieValue(cookieHeader ?? '')
  if (value === null) {
    return null
  }
  const [email = '', name, ...more] = decoded(value).split('|')
  const outcome = OUTCOMES.find((known) => known === name) ?? null
  const isKnown = name === undefined || outcome !== null
  return email.includes('@') && isKnown && more.length === 0 ? { email, outcome } : 'invalid'
}

export const INVALID_PRESELECTED_USER = `The cookie ${PRESELECTED_USER_COOKIE} must be an email address, alone or followed by "|" and one of: ${OUTCOMES.join(', ')}.`

function cookieValue(header: string): string | null {
  for (const part of header.split(';')) {
    const [name = '', ...value] = part.split('=')
    if (name.trim() === PRESELECTED_USER_COOKIE) {
      return value.join('=').trim()
    }
  }
  return null
}

/** Test tools percent-encode what cookies cannot hold. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
